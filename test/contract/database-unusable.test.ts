import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUsableKeys } from '../../src/features/identity/find-usable-keys.ts';
import { generateApiKey } from '../../src/shared/api-key.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { expectProblem } from '../support/api/problems.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/database/own-postgres.ts';
import { readReadiness } from '../support/http/readiness.ts';
import { eventually } from '../support/run/eventually.ts';

let server: OwnPostgres;
let database: TestDatabase;
let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  // Durable: one test makes a standby of it.
  server = await startOwnPostgres({ durable: true });
});
// The server for all tests, each of which leaves it usable; the full disk comes last.
beforeEach(async () => {
  database = await createTestDatabase(server.url);
  api = await startTestApi({
    database,
    environment: localWebhooks,
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

/** Status of `/readyz` and what it says of one dependency. */
async function readiness(dependency = 'postgres'): Promise<[number, string | undefined]> {
  const { code, dependencies } = await readReadiness(api.origin);
  return [code, dependencies.find(({ name }) => name === dependency)?.detail];
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

/** Makes the whole server read-only, for existing sessions as well, as a failover does. */
async function setting(name: string, value: string): Promise<void> {
  await database.sql.unsafe(`alter system set ${name} = ${value}`);
  await database.sql`select pg_reload_conf()`;
}

test('while the database is away every request gets a 503 immediately, and requests are served again when it is back', async () => {
  expect((await read()).status).toBe(200);
  await server.stop();
  await eventually('unreadiness', async () => (await readiness())[1] === 'it refuses connections');
  const refused = await Promise.all(Array.from({ length: 50 }, write));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  await server.start();
  await untilReady();
  expect((await write()).status).toBe(201);
});

test('a standby judges no key: a missing key may be new, a present one revoked, and both keep their streams', async () => {
  // As a key that was created a moment ago: the standby lags.
  const { text, keyId } = generateApiKey('test');
  const readWithNew = () =>
    fetch(`${api.baseUrl}/webhook-endpoints`, { headers: { authorization: `Bearer ${text}` } });
  const usableKeys = () => findUsableKeys(api.dependencies.database, [key.keyId, keyId], new Date());
  await server.stop();
  writeFileSync(join(server.clusterDir, 'standby.signal'), '');
  await server.start();
  await eventually('the standby', () =>
    database.sql`select 1`.then(
      () => true,
      () => false,
    ),
  );
  for (const refused of [await read(), await readWithNew()])
    await expectProblem(refused, 'api_dependency_unavailable');
  expect(await usableKeys()).toEqual(new Set([key.keyId, keyId]));
  expect(await readiness()).toEqual([503, 'it is a standby']);
  await database.sql`select pg_promote()`;
  await untilReady();
  expect((await read()).status).toBe(200);
  await expectProblem(await readWithNew(), 'invalid_api_key');
  expect(await usableKeys()).toEqual(new Set([key.keyId]));
});

test('while most requests fail for the database the api is not ready, although a probe of it succeeds', async () => {
  const released = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holder = database.sql.begin(async (transaction) => {
    // Every look-up of a key waits for this. All requests with one key share one look-up on one connection.
    await transaction`lock table api_keys in access exclusive mode`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const refused = await Promise.all(Array.from({ length: 20 }, read));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  await eventually('unreadiness', async () => (await readiness())[0] === 503);
  expect((await readiness())[1]).toBeUndefined();
  expect(await readiness('requests')).toEqual([503, 'most requests of the last seconds could not be served']);
  released.resolve();
  await holder;
  for (let served = 0; served <= refused.length; served += 1) expect((await read()).status).toBe(200);
  await untilReady();
});

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
