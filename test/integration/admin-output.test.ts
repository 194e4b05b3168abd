import { beforeAll, expect, test } from 'bun:test';
import { printable } from '../../src/admin/program.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { runBun } from '../support/sandbox/sandbox-process.ts';

const WALLET = '7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj';
let db: Database;
let url: string;
let key: TestKey;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  const pool = connectDatabase(url, { applicationName: 'test', connections: 1 });
  atEnd(() => pool.end({ timeout: 1 }));
  db = pool;
  key = await createTestKey(db);
});

test('key list prints keys and nothing of the connection', async () => {
  const { code, output } = await runBun(['src/admin/main.ts', 'key', 'list', '--account', key.accountId], {
    DATABASE_URL: url,
  });
  expect(code).toBe(0);
  expect(output).toContain(key.keyId);
  expect(output).not.toMatch(/statement|columns|command|state|secret/);
});

test('a key name has no hidden characters', async () => {
  const create = (name: string) =>
    runAdmin(
      [
        'key',
        'create',
        '--account',
        key.accountId,
        '--wallet',
        WALLET,
        '--scopes',
        'fees:read',
        '--name',
        name,
      ],
      { DATABASE_URL: url },
    );
  const refused = await create('a\u202eb');
  expect(refused.code).toBe(2);
  expect(refused.output).toContain(
    '--name must not contain characters that are invisible or reverse the direction of text',
  );
  expect((await create('reports 📈')).code).toBe(0);
});

test('the output of a command holds no internals of a driver', async () => {
  const rows = await db`select 1 as one, 2::int8 as two, now() as at, decode('00ff', 'hex') as bytes`;
  const shown = printable({ rows, nested: [{ rows }] });
  const row = { one: 1, two: '2', at: rows[0]?.at, bytes: '2 bytes' };
  expect(shown).toEqual({ rows: [row], nested: [{ rows: [row] }] });
  expect(Object.keys((shown as { rows: object }).rows)).toEqual(['0']);
  expect(Bun.inspect(shown)).not.toMatch(/statement|columns|command|state/);
  expect(() => JSON.stringify(shown)).not.toThrow();
});

test('the output is whole although its reader is slow', async () => {
  // A pipe holds 64 KiB; a page of 1000 accounts is longer.
  await db`insert into accounts (id, created_at) select gen_random_uuid(), now() from generate_series(1, 1000)`;
  const list = `"${process.execPath}" src/admin/main.ts account list --limit 1000 --json`;
  const shell = Bun.spawn(['sh', '-c', `${list} | { dd bs=1 count=1 2>&-; sleep 1; cat; }`], {
    env: { ...process.env, DATABASE_URL: url },
    stdout: 'pipe',
  });
  const { accounts } = JSON.parse(await shell.stdout.text()) as { accounts: unknown[] };
  expect(accounts).toHaveLength(1000);
});
