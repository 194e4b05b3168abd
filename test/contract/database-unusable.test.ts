import { beforeEach, expect, test } from 'bun:test';
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApi, type TestApi } from '../support/api.ts';
import { createTestKey, type TestKey } from '../support/api-keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts';
import { expectProblem } from '../support/problems.ts';

let server: OwnPostgres;
let database: TestDatabase;
let api: TestApi;
let key: TestKey;

beforeEach(async () => {
  server = await startOwnPostgres();
  database = await createTestDatabase(server.url);
  api = await startTestApi({
    database,
    environment: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
  });
  key = await createTestKey(api.dependencies.database);
});

/** Writes: an endpoint, an event, the stored response. */
function write(): Promise<Response> {
  return fetch(`${api.baseUrl}/webhook-endpoints`, {
    method: 'POST',
    headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ url: 'http://127.0.0.1:8080/hook' }),
  });
}

const read = () => fetch(`${api.baseUrl}/webhook-endpoints`, { headers: key.header });

/** Status of `/readyz` and what it says of Postgres. */
async function readiness(): Promise<[number, string | undefined]> {
  const response = await fetch(`${api.origin}/readyz`);
  const { dependencies } = (await response.json()) as { dependencies: { name: string; detail?: string }[] };
  return [response.status, dependencies.find(({ name }) => name === 'postgres')?.detail];
}

const untilReady = () => eventually('readiness', async () => (await readiness())[0] === 200);

test('a database that became read-only answers 503 to writes, goes on reading, and is not ready until it is writable', async () => {
  expect((await write()).status).toBe(201);
  await setting('default_transaction_read_only', 'on');
  await eventually('unreadiness', async () => (await readiness())[0] === 503);
  expect(await readiness()).toEqual([503, 'it is read-only']);
  const refused = await write();
  expect(refused.headers.get('retry-after')).toBe('1');
  await expectProblem(refused, 'api_dependency_unavailable');
  expect((await read()).status).toBe(200);
  await setting('default_transaction_read_only', 'off');
  await untilReady();
  expect((await write()).status).toBe(201);
});

/** Of the whole server, for sessions that exist as well, as a failover changes it. */
async function setting(name: string, value: string): Promise<void> {
  await database.sql.unsafe(`alter system set ${name} = ${value}`);
  await database.sql`select pg_reload_conf()`;
}

test('a full disk answers 503 to writes, goes on reading, and is not ready while writes are refused', async () => {
  const [file] = await database.sql<
    { path: string }[]
  >`select pg_relation_filepath('idempotency_records') as path`;
  const path = join(server.clusterDir, file?.path ?? '');
  await server.stop();
  // Every write to this device fails as on a full disk.
  renameSync(path, `${path}.aside`);
  symlinkSync('/dev/full', path);
  await server.start();
  await eventually('the server', async () => (await read()).status === 200);
  await expectProblem(await write(), 'api_dependency_unavailable');
  expect(await readiness()).toEqual([503, 'its disk is full']);
  expect((await read()).status).toBe(200);
});

test('a database that is away answers 503 at once and serves again when it is back', async () => {
  expect((await read()).status).toBe(200);
  await server.stop();
  await eventually('unreadiness', async () => (await readiness())[1] === 'it refuses connections');
  const refused = await Promise.all(Array.from({ length: 50 }, write));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  await server.start();
  await untilReady();
  expect((await write()).status).toBe(201);
});
