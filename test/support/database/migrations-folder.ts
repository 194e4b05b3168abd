import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '../run/temp-dir.ts';

const PRESENT = new URL('../../../drizzle', import.meta.url).pathname;

/** Migrations to come and functions, by their names. */
export interface Additions {
  migrations?: Readonly<Record<string, string>>;
  functions?: Readonly<Record<string, string>>;
}

/** The migrations of this release in a folder of their own, with some that a next release could add. */
export function migrationsWith({ migrations = {}, functions = {} }: Additions): string {
  const folder = join(createTempDir('migrations'), 'drizzle');
  cpSync(PRESENT, folder, { recursive: true });
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as {
    entries: { idx: number; when: number }[];
  };
  for (const [tag, sql] of Object.entries(migrations)) {
    const last = journal.entries.at(-1);
    if (last === undefined) throw new Error('there is no migration');
    const entry = { idx: last.idx + 1, version: '7', when: last.when + 1_000, tag, breakpoints: true };
    journal.entries.push(entry);
    writeFileSync(join(folder, `${tag}.sql`), sql);
  }
  writeFileSync(journalFile, JSON.stringify(journal));
  for (const [name, sql] of Object.entries(functions))
    writeFileSync(join(folder, `functions/${name}.sql`), sql);
  return folder;
}
