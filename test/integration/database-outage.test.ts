import { beforeAll, expect, test } from 'bun:test';
import { type AddressInfo, createConnection } from 'node:net';
import { connectDatabase, type Database, type DatabaseOptions } from '../../src/db/client.ts';
import { databaseFailure, isDatabaseAway } from '../../src/db/failure.ts';
import { defaultPatience } from '../../src/db/limits.ts';
import { holdLocks } from '../support/database/held-locks.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/database/own-postgres.ts';
import { closeStandIn, fateOf, standIn } from '../support/database/stand-in-server.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const LIMITS = { statementMs: 500, lockMs: 0, idleInTransactionMs: 0 };
/** For servers that are frozen or silent; the patience with one that is well leaves room for a busy machine. */
const IMPATIENT = { connectMs: 2_000, checkEveryMs: 300, beyondStatementMs: 500 };
let postgres: OwnPostgres;

// One server for all tests: each leaves it running.
beforeAll(async () => {
  postgres = await startOwnPostgres();
});

function connect({ url }: { url: string }, options: Partial<DatabaseOptions> = {}): Database {
  const database = connectDatabase(url, {
    applicationName: 'outage',
    connections: 2,
    limits: LIMITS,
    ...options,
  });
  atEnd(() => database.end({ timeout: 0 }));
  return database;
}

const fatesOf = (database: Database, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => fateOf(database`select 1`)));

const isBack = (database: Database) =>
  eventually('the database', async () => (await fateOf(database`select 1`)) === 'ok');

/** A pool whose connections are open. */
async function openPool(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = connect(postgres, options);
  await eventually('open connections', async () =>
    (await fatesOf(database, 20)).every((fate) => fate === 'ok'),
  );
  return database;
}

test('while the server is away every query fails with few attempts to connect, and it is used again once it is back', async () => {
  const database = await openPool();
  await postgres.stop();
  const proxy = await standIn(postgres.port, (socket) => socket.end());
  const fates = await fatesOf(database, 500);
  expect(new Set(fates)).toEqual(new Set(['connection_lost']));
  // One try per connection of the pool; the other queries wait for none of their own.
  expect(proxy.callers.length).toBeLessThanOrEqual(4);
  await closeStandIn(proxy);
  await eventually('refusals', async () => (await fateOf(database`select 1`)) === 'connection_refused');
  await postgres.start();
  await isBack(database);
  expect(new Set(await fatesOf(database, 50))).toEqual(new Set(['ok']));
});

test('while one query tries to reach a server that is away, the others do not wait for it', async () => {
  const database = await openPool({ patience: { ...defaultPatience, connectMs: 1_000 } });
  await postgres.stop();
  const deaf = await standIn(postgres.port, () => {});
  await eventually('silence', async () => (await fateOf(database`select 1`)) === 'silent');
  const tries = deaf.callers.length;
  let tryingIsOver = false;
  // The first of these to come after the pause becomes the try; those before it fail at once.
  const queries: Promise<unknown>[] = [];
  await eventually('another try', async () => {
    if (deaf.callers.length === tries) queries.push(fateOf(database`select 1`));
    return deaf.callers.length > tries;
  });
  const trying = Promise.all(queries).then(() => {
    tryingIsOver = true;
  });
  expect(await fatesOf(database, 20)).toEqual(Array.from({ length: 20 }, () => 'silent'));
  expect(tryingIsOver).toBe(false);
  expect(deaf.callers.length).toBe(tries + 1);
  await trying;
  await closeStandIn(deaf);
  await postgres.start();
});

test('a frozen server holds neither query nor transaction for ever, and their connections come back', async () => {
  const database = await openPool({ patience: IMPATIENT });
  const begun = Promise.withResolvers<void>();
  const frozen = Promise.withResolvers<void>();
  const transaction = fateOf(
    database.begin(async (sql) => {
      await sql`select 1`;
      begun.resolve();
      await frozen.promise;
      await sql`select 2`;
    }),
  );
  await begun.promise;
  postgres.freeze();
  frozen.resolve();
  const fates = await fatesOf(database, 300);
  expect(fates.filter((fate) => fate !== 'silent' && fate !== 'pool_exhausted')).toEqual([]);
  expect(await transaction).toBe('connection_lost');
  postgres.thaw();
  await isBack(database);
  // Both connections of the pool serve again, at the same time.
  const inside = await database.begin(async (sql) => {
    const own = await sql`select 1`;
    return [own.length, (await database.begin((other) => other`select 1`)).length];
  });
  expect(inside).toEqual([1, 1]);
});

test('a frozen server is found out long before its longest statement', async () => {
  const database = await openPool({
    limits: { ...LIMITS, statementMs: 3_600_000 },
    patience: IMPATIENT,
  });
  postgres.freeze();
  expect(new Set(await fatesOf(database, 20))).toEqual(new Set(['silent']));
  postgres.thaw();
  await isBack(database);
});

// These only ask a server that is well, side by side.
test.concurrent('a slow statement of a server that is well is ended by the server, and its connection stays', async () => {
  const database = await openPool({ connections: 1 });
  const [before] = await database`select pg_backend_pid() as pid`;
  expect(await fateOf(database`select pg_sleep(60)`)).toBe('statement_timeout');
  expect(await database`select pg_backend_pid() as pid`).toEqual([before] as never);
});

test.concurrent('a statement that is silent for long on a server that is well goes on', async () => {
  const way = await standIn(0, (socket) => {
    const server = createConnection(postgres.port, '127.0.0.1').on('error', () => {});
    socket.pipe(server).pipe(socket);
  });
  const url = new URL(postgres.url);
  url.port = String((way.server.address() as AddressInfo).port);
  const database = connect(
    { url: url.href },
    { connections: 1, limits: { ...LIMITS, statementMs: 3_600_000 } },
  );
  await isBack(database);
  const opened = way.callers.length;
  const holder = connect(postgres, { connections: 1 });
  const held = await holdLocks(holder, (transaction) => transaction`select pg_advisory_xact_lock(1)`);
  const silent = database`select pg_advisory_xact_lock(1), 'done' as outcome`.execute();
  await held.untilBlocked('the statement waits');
  const probe = await eventually('the probe of the server', async () => way.callers[opened]);
  await eventually('its end', async () => probe.destroyed);
  await held.commit();
  expect((await silent)[0]?.outcome).toBe('done');
});

test.concurrent('a query that waits for a connection of the pool in vain fails in the end', async () => {
  const database = await openPool({ connections: 1 });
  const over = Promise.withResolvers<void>();
  const holder = database.begin(() => over.promise);
  const waiting = await fateOf(database`select 1`);
  over.resolve();
  await holder;
  expect(waiting).toBe('pool_exhausted');
  expect(await fateOf(database`select 1`)).toBe('ok');
});

test.concurrent('refusals of the server are distinguished: wrong password, missing database, no room', async () => {
  const other = (change: (url: URL) => void) => {
    const url = new URL(postgres.url);
    change(url);
    return fateOf(connect({ url: url.href })`select 1`);
  };
  expect(
    await other((url) => {
      url.password = 'wrong';
    }),
  ).toBe('password_refused');
  expect(
    await other((url) => {
      url.pathname = '/nowhere';
    }),
  ).toBe('database_missing');
  expect(
    await other((url) => {
      url.port = '1';
    }),
  ).toBe('connection_refused');
  const role = connect(postgres, { role: 'launchwire_api' });
  expect(await fateOf(role`select 1`)).toBe('role_refused');
});

test.concurrent('an error of a statement does not count against the server', async () => {
  const database = await openPool();
  const error = await database`select 1 / 0`.catch((failure: unknown) => failure);
  expect([databaseFailure(error), isDatabaseAway(error)]).toEqual([null, false]);
});

test.concurrent('a deadlock ends one of two transactions, and does not count against the server', async () => {
  const database = await openPool();
  await database`create table if not exists locked (id int primary key)`;
  await database`insert into locked values (1), (2) on conflict do nothing`;
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const lockBoth = (first: number, own: 0 | 1) =>
    database.begin(async (transaction) => {
      // Longer than the server waits before it looks for a deadlock.
      await transaction`set local statement_timeout = '20s'`;
      await transaction`select from locked where id = ${first} for update`;
      held[own].resolve();
      await held[1 - own]?.promise;
      await transaction`select from locked where id = ${3 - first} for update`;
    });
  const [refused] = (await Promise.allSettled([lockBoth(1, 0), lockBoth(2, 1)])).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  expect([databaseFailure(refused), isDatabaseAway(refused)]).toEqual(['deadlock', false]);
});
