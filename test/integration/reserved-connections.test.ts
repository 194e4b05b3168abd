import { beforeAll, expect, test } from 'bun:test';
import postgres from 'postgres';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

function poolOf(max: number, options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  const sql = postgres(database.url, { max, fetch_types: false, ...options });
  atEnd(() => sql.end({ timeout: 0 }));
  return sql;
}

const pidOf = async (sql: postgres.Sql): Promise<number> =>
  (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0;

/** Ends the backend of a reserved connection, and waits until the pool knows it. */
async function cut(sql: postgres.ReservedSql, closed: () => boolean): Promise<void> {
  const pid = await pidOf(sql);
  await database.sql`select pg_terminate_backend(${pid})`;
  await eventually('the pool knows that the connection is gone', async () => closed());
}

/** A pool that says when a connection of it was closed. */
function watchedPool(max: number) {
  let closedCount = 0;
  const sql = poolOf(max, { onclose: () => (closedCount += 1) });
  return { sql, isClosed: () => closedCount > 0 };
}

test.each([1, 2])('a reserved connection that died comes back as a closed one: pool of %d', async (max) => {
  const { sql, isClosed } = watchedPool(max);
  const reserved = await sql.reserve();
  await cut(reserved, isClosed);
  reserved.release();
  for (let round = 0; round < 5; round += 1) expect(await pidOf(sql)).toBeGreaterThan(0);
  const again = await sql.reserve();
  expect(await pidOf(again)).toBeGreaterThan(0);
  again.release();
});

test('a handle whose connection died runs nothing on the connection that came after it', async () => {
  const { sql, isClosed } = watchedPool(1);
  const reserved = await sql.reserve();
  await cut(reserved, isClosed);
  const other = await sql.reserve();
  const pid = await pidOf(other);
  expect(pidOf(reserved)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  reserved.release();
  const third = sql.reserve();
  expect(await pidOf(other)).toBe(pid);
  other.release();
  expect(await pidOf(await third)).toBe(pid);
});

test('queries of a handle that wait fail when its connection dies, and none hangs', async () => {
  const { sql } = watchedPool(1);
  const reserved = await sql.reserve();
  const pid = await pidOf(reserved);
  const queries = Array.from({ length: 300 }, () =>
    reserved`select pg_sleep(60)`.catch((error) => error.code),
  );
  await database.sql`select pg_terminate_backend(${pid})`;
  // Those that were sent and those that were not fail with different codes.
  for (const code of await Promise.all(queries)) expect(code).toBeString();
  reserved.release();
  expect(await pidOf(sql)).not.toBe(pid);
});

test('a handle that was released twice, or is used afterwards, disturbs nobody', async () => {
  const sql = poolOf(1);
  const reserved = await sql.reserve();
  const pid = await pidOf(reserved);
  reserved.release();
  const other = await sql.reserve();
  reserved.release();
  const third = sql.reserve();
  expect(pidOf(reserved)).rejects.toMatchObject({ code: 'CONNECTION_RELEASED' });
  expect(await pidOf(other)).toBe(pid);
  other.release();
  expect(await pidOf(await third)).toBe(pid);
});

test('queries that were begun before the release are done, however many they are', async () => {
  const sql = poolOf(1);
  const reserved = await sql.reserve();
  const queries = Array.from({ length: 300 }, (_, at) =>
    reserved`select ${at}::int as at`.then(([row]) => row?.at),
  );
  // A query begins in a later turn than its text.
  await database.sql`select 1`;
  reserved.release();
  expect(await Promise.all(queries)).toEqual(Array.from({ length: 300 }, (_, at) => at));
  expect(await pidOf(sql)).toBeGreaterThan(0);
});

test('a pool ends once its reserved connection is released, or has died', async () => {
  const pool = poolOf(1);
  const reserved = await pool.reserve();
  const ended = pool.end();
  expect(await pidOf(reserved)).toBeGreaterThan(0);
  reserved.release();
  await ended;
  const { sql, isClosed } = watchedPool(1);
  const lost = await sql.reserve();
  const lostEnd = sql.end();
  await cut(lost, isClosed);
  await lostEnd;
  lost.release();
});

test('a reservation that failed takes no connection that becomes free later', async () => {
  const right = new URL(database.url).password;
  let password = right;
  const sql = poolOf(2, { password: () => password });
  const holder = await sql.reserve();
  password = 'wrong';
  await expect(sql.reserve()).rejects.toMatchObject({ code: '28P01' });
  holder.release();
  const next = await sql.reserve();
  expect(await pidOf(next)).toBeGreaterThan(0);
  const last = sql.reserve();
  next.release();
  expect(await pidOf(await last)).toBeGreaterThan(0);
});

test.each([true, false])(
  'a reservation that waits for a connection gets the one that comes after it: types fetched %p',
  async (fetch_types) => {
    const sql = poolOf(1, { fetch_types });
    const holder = await sql.reserve();
    const pid = await pidOf(holder);
    const waiting = [sql.reserve(), sql.reserve()];
    await database.sql`select pg_terminate_backend(${pid})`;
    for (const reservation of waiting) {
      const reserved = await reservation;
      expect(await pidOf(reserved)).not.toBe(pid);
      reserved.release();
    }
    await sql.end();
  },
);

test('a pool whose only use was a reservation ends', async () => {
  for (const fetch_types of [true, false]) {
    const sql = poolOf(1, { fetch_types });
    (await sql.reserve()).release();
    await sql.end();
    const other = poolOf(1, { fetch_types });
    const fate = other.reserve().then(
      () => 'reserved',
      (error) => error.code,
    );
    await other.end();
    expect(await fate).toBe('CONNECTION_DESTROYED');
  }
});

test('a reservation is the first use of a connection, also where no types are fetched', async () => {
  const sql = poolOf(1);
  const reserved = await sql.reserve();
  expect(await pidOf(reserved)).toBeGreaterThan(0);
});
