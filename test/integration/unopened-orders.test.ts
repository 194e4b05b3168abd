import { beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Database } from '../../src/db/client.ts';
import { readUnopenedOrders } from '../../src/features/orders/read-unopened-orders.ts';
import { workerKeys } from '../../src/features/orders/worker.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import {
  insertTriggeredOrder,
  type TriggeredOrderOptions,
} from '../support/orders/insert-triggered-order.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const [oldBox, newBox] = [createSecretBox(OLD), createSecretBox(NEW)];

let db: Database;
let accountId: string;

beforeEach(async () => {
  db = await openDatabase();
  ({ accountId } = await createTestKey(db));
});

const insert = (options: Partial<TriggeredOrderOptions>) =>
  insertTriggeredOrder(db, { accountId, box: oldBox, withoutToken: true, ...options });

test('orders that wait are counted once each, with those that the keys do not open', async () => {
  await insert({ status: 'open', venues: ['curve', 'amm'] });
  await insert({ status: 'triggered' });
  await insert({ status: 'open', box: newBox });
  const read = (...keys: [Buffer, ...Buffer[]]) =>
    readUnopenedOrders(asWorker(db), createSecretBox(keys[0], keys.slice(1)));
  expect(await read(OLD)).toEqual({ signed: 3, unopened: 1 });
  expect(await read(NEW)).toEqual({ signed: 3, unopened: 2 });
  expect(await read(NEW, OLD)).toEqual({ signed: 3, unopened: 0 });
  expect(await readUnopenedOrders(db, null)).toEqual({ signed: 3, unopened: 3 });
});

test('orders that have ended or are not signed do not count', async () => {
  const { id } = await insert({ status: 'open' });
  await db`update orders set status = 'cancelled', reason = 'requested', completed_at = now() where id = ${id}`;
  const unsigned = await insert({ status: 'open' });
  await db`update orders set status = 'unsigned' where id = ${unsigned.id}`;
  expect(await readUnopenedOrders(db, newBox)).toEqual({ signed: 0, unopened: 0 });
});

test('every order is counted once where there are more than are in memory together', async () => {
  const first = await insert({ status: 'open' });
  for (let more = 0; more < 102; more += 1)
    await insert({ status: 'open', beside: first, venues: ['curve', 'amm'] });
  expect(await readUnopenedOrders(db, newBox)).toEqual({ signed: 103, unopened: 103 });
});

test('a worker whose keys open not all orders says at its start which setting and how many, and others say nothing', async () => {
  await insert({ status: 'open' });
  await insert({ status: 'open', box: newBox });
  const logOf = async (...orderKeys: Buffer[]) => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const stop = new AbortController();
    const [key, ...others] = orderKeys;
    const orderBox = key === undefined ? null : createSecretBox(key, others);
    const keys = { orderKeys, resultLinkKeys: [NEW] as const };
    await db`delete from worker_keys`;
    const job = workerKeys({ db: asWorker(db), keys, orderBox, log });
    const { step } = job;
    const more: boolean[] = [];
    job.step = async (...context) => {
      const isMore = await step(...context);
      more.push(isMore);
      return isMore;
    };
    const loop = runTestJob(job, {
      log,
      signal: stop.signal,
    });
    await eventually('the keys are entered', async () => (await db`select from worker_keys`).length > 0);
    stop.abort();
    await loop;
    // The next step waits for its time.
    expect(new Set(more)).toEqual(new Set([false]));
    return lines.map((line) => JSON.parse(line));
  };
  const unopened = { level: 50, setting: 'ORDER_KEYS', signed: 2, msg: 'orders.unopened' };
  expect(await logOf(OLD)).toMatchObject([{ ...unopened, unopened: 1 }]);
  expect(await logOf()).toMatchObject([{ ...unopened, unopened: 2 }]);
  expect(await logOf(NEW, OLD)).toEqual([]);
});
