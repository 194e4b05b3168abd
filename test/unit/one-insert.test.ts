import { expect, test } from 'bun:test';
import { Glob } from 'bun';

/** Tables into which many statements insert, and the one file that has the insert. */
const inserts = {
  events: 'src/outbox/event-rows.ts',
  intent_broadcasts: 'src/intents/submit/insert-broadcasts.ts',
  transaction_intents: 'src/intents/insert-intent.ts',
};

const files = [...new Glob('{src,relay}/**/*.ts').scanSync('.')].sort();

test.each(Object.entries(inserts))('rows of %s are inserted by one file', async (table, file) => {
  const insert = new RegExp(`insert\\s+into\\s+${table}\\b|insertOf(?:<[^>]*>)?\\('${table}\\b`);
  const found: string[] = [];
  for (const path of files) if (insert.test(await Bun.file(path).text())) found.push(path);
  expect(found).toEqual([file]);
});
