import { describe, expect, test } from 'bun:test';
import { Glob } from 'bun';

/** Names that begin with one of these act; every other name is a rule, a text or a shape. */
const VERBS = new Set(
  `accept advance broadcast cancel change check claim compare confirm consume create delete deliver end erase evaluate expire find
  finish follow hide hold insert list lock move prepare read record recover replay require retry revoke rotate run search serve settle store submit sweep take upsert
  void`.split(/\s+/),
);
const STATEMENT =
  /\b(?:db|database|transaction|sql)(?:<[^`;]*?>)?`\s*(?:with|select|insert into|update|delete from)\b/;

const files = [...new Glob('{features,intents}/**/*.ts').scanSync('src')].sort();
const source = (file: string) => Bun.file(`src/${file}`).text();
const nameOf = (file: string) => file.slice(file.lastIndexOf('/') + 1, -'.ts'.length);
const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));

describe('files of a feature (docs/architecture.md)', () => {
  test('hold SQL only where the name is a verb, or says that rows are all they hold', async () => {
    const misnamed: string[] = [];
    for (const file of files) {
      const name = nameOf(file);
      const acts = VERBS.has(name.split('-')[0] ?? '') || /(?:^|-)rows$/.test(name);
      if (!acts && STATEMENT.test(await source(file))) misnamed.push(file);
    }
    expect(misnamed).toEqual([]);
  });

  test('are called state only when they hold the transitions of a status', async () => {
    const states = files.filter((file) => nameOf(file) === 'state');
    expect(states.length).toBeGreaterThan(0);
    for (const file of states) expect(await source(file)).toMatch(/[tT]ransitions\b/);
  });

  test('describe operations in routes, and their data in a schema beside them', async () => {
    for (const file of files.filter((candidate) => /(routes|^internal)$/.test(nameOf(candidate)))) {
      if (!(await source(file)).includes('satisfies Operation')) continue;
      expect(files).toContain(`${folderOf(file)}/schema.ts`);
    }
    for (const file of files) {
      if ((await source(file)).includes('satisfies Operation'))
        expect(nameOf(file)).toMatch(/routes$|^internal$/);
    }
  });
});
