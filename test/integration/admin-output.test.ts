import { beforeAll, expect, test } from 'bun:test';
import { printable } from '../../src/admin/printable.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestKey, type TestKey } from '../support/api-keys.ts';
import { atEnd } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { runBun } from '../support/sandbox-process.ts';

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
  const { code, output } = await runBun(['src/admin.ts', 'key', 'list', '--account', key.accountId], {
    DATABASE_URL: url,
  });
  expect(code).toBe(0);
  expect(output).toContain(key.keyId);
  expect(output).not.toMatch(/statement|columns|command|state|secret/);
});

test('what a command prints holds nothing of a driver, whatever it returns', async () => {
  const rows = await db`select 1 as one, 2::int8 as two, now() as at, decode('00ff', 'hex') as bytes`;
  const shown = printable({ rows, nested: [{ rows }] });
  const row = { one: 1, two: '2', at: rows[0]?.at, bytes: '2 bytes' };
  expect(shown).toEqual({ rows: [row], nested: [{ rows: [row] }] });
  expect(Object.keys((shown as { rows: object }).rows)).toEqual(['0']);
  expect(Bun.inspect(shown)).not.toMatch(/statement|columns|command|state/);
  expect(() => JSON.stringify(shown)).not.toThrow();
});
