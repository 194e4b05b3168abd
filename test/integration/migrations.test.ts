import { expect, test } from 'bun:test';
import { cpSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createTestDatabase } from '../support/database.ts';
import { createTempDir } from '../support/temp-dir.ts';

const root = new URL('../../', import.meta.url).pathname;

test('the migrations make exactly the schema that the code declares', async () => {
  const folder = join(createTempDir('migrations'), 'drizzle');
  // drizzle-kit reads --out as relative to its working directory, absolute paths included.
  const out = relative(root, folder);
  cpSync(join(root, 'drizzle'), folder, { recursive: true });
  const before = readdirSync(folder).sort();
  const generate = Bun.spawn(
    [
      'bunx',
      'drizzle-kit',
      'generate',
      '--dialect',
      'postgresql',
      '--schema',
      './src/db/schema/*.ts',
      '--out',
      out,
    ],
    { cwd: root, stdout: 'pipe', stderr: 'pipe' },
  );
  const output = await new Response(generate.stdout).text();
  expect(await generate.exited).toBe(0);
  expect(output).toContain('No schema changes');
  expect(readdirSync(folder).sort()).toEqual(before);
});

test('applying the migrations again changes nothing', async () => {
  const { migrate } = await import('../../src/db/migrate.ts');
  const { url, sql } = await createTestDatabase();
  const count = () => sql`select count(*)::int as count from drizzle.__drizzle_migrations`;
  const before = await count();
  await Promise.all([migrate(url), migrate(url)]);
  expect(await count()).toEqual(before);
});
