import { beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import type { DatabaseRole } from '../../src/db/roles.ts';
import { enterWorkerKeys, readKeysOfWorkers, WorkerKeys } from '../../src/db/worker-keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';

const [OLD, NEW, LINKS, OTHER_LINKS] = [randomBytes(32), randomBytes(32), randomBytes(32), randomBytes(32)];

let database: TestDatabase;
let asApi: Database;
let asWorker: Database;
let lines: string[];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

beforeEach(async () => {
  lines = [];
  database = await createTestDatabase();
  asApi = connectAs('launchwire_api');
  asWorker = connectAs('launchwire_worker');
});

function connectAs(role: DatabaseRole): Database {
  const pool = connectDatabase(database.url, { applicationName: 'test', connections: 1, role });
  atEnd(() => pool.end({ timeout: 1 }));
  return pool;
}

const enter = (orderKeys: Buffer[], linkKey = LINKS) =>
  enterWorkerKeys(asWorker, { orderKeys, resultLinkKeys: [linkKey] });

/** An api with these keys, the sealing one first, which accepts links under `LINKS`. */
const apiWith = (...orderKeys: Buffer[]) =>
  new WorkerKeys(asApi, { orderKeys, resultLinkKeys: [LINKS] }, log);

test('an api seals orders only under a key that a worker has, through every step of a rotation', async () => {
  expect(await apiWith(OLD).openOrders()).toBe(false);
  await enter([]);
  expect(await apiWith(OLD).openOrders()).toBe(false);
  await enter([OLD]);
  expect(await apiWith(OLD).openOrders()).toBe(true);
  expect(await apiWith(NEW, OLD).openOrders()).toBe(false);
  await enter([OLD, NEW]);
  expect(await apiWith(NEW, OLD).openOrders()).toBe(true);
});

test('keys of workers that have been silent for five minutes do not count, and do again once one runs', async () => {
  await enter([OLD]);
  await database.sql`update worker_keys set seen_at = seen_at - interval '4 minutes'`;
  expect(await apiWith(OLD).openOrders()).toBe(true);
  await database.sql`update worker_keys set seen_at = seen_at - interval '1 minute'`;
  expect(await apiWith(OLD).openOrders()).toBe(false);
  await enter([OLD]);
  expect(await apiWith(OLD).openOrders()).toBe(true);
});

test('readiness says which keys differ, and that the api serves all the same', async () => {
  const { readiness } = apiWith(OLD);
  expect(readiness.required).toBe(false);
  await enter([NEW]);
  const unopened = 'no running worker has the first of ORDER_KEYS: orders are refused';
  expect(await readiness.check()).toEqual({ ready: false, detail: unopened });
  await enter([OLD]);
  expect(await readiness.check()).toEqual({ ready: true });
  await enter([OLD], OTHER_LINKS);
  expect((await readiness.check()).detail).toContain('under a key that is not in RESULT_LINK_KEYS');
});

test('an api logs a difference when it begins and when it ends, not at every look', async () => {
  const api = apiWith(OLD);
  await enter([NEW]);
  for (let look = 0; look < 3; look += 1) await api.readiness.check();
  await api.openOrders();
  await enter([OLD]);
  await api.openOrders();
  await api.readiness.check();
  await enter([OLD], OTHER_LINKS);
  await api.readiness.check();
  const logged = lines.map((line) => JSON.parse(line) as { level: number; msg: string; reason?: string });
  expect(
    logged.map(({ level, msg, reason = '' }) => [level, msg, /\b[A-Z]+_[A-Z_]+\b/.exec(reason)?.[0]]),
  ).toEqual([
    [40, 'worker_keys.differ', 'ORDER_KEYS'],
    [30, 'worker_keys.fit', undefined],
    [40, 'worker_keys.differ', 'RESULT_LINK_KEYS'],
  ]);
});

test('workers are silent, have no key of orders, or some; what each has is told apart', async () => {
  expect(await readKeysOfWorkers(asApi)).toBeNull();
  await enter([]);
  expect(await readKeysOfWorkers(asApi)).toMatchObject({ openOrders: false });
  await enter([OLD]);
  const known = await readKeysOfWorkers(asApi);
  expect([
    known?.openOrders,
    known?.opensOrders(OLD),
    known?.opensOrders(NEW),
    known?.opensOrders(LINKS),
  ]).toEqual([true, true, false, false]);
  expect([known?.signLinksUnder([OLD, LINKS]), known?.signLinksUnder([OLD])]).toEqual([true, false]);
});

test('the table opens nothing and names no key', async () => {
  await enter([OLD, NEW]);
  const rows = await database.sql<{ keyCheck: Buffer }[]>`select key_check as "keyCheck" from worker_keys`;
  expect(rows).toHaveLength(3);
  for (const { keyCheck } of rows) expect([OLD, NEW, LINKS].some((key) => key.equals(keyCheck))).toBe(false);
});
