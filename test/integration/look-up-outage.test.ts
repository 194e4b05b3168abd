import { beforeAll, expect, test } from 'bun:test';
import { connectDatabase, type DatabaseOptions } from '../../src/db/client.ts';
import { databaseFailure, isDatabaseAway } from '../../src/db/failure.ts';
import { defaultPatience } from '../../src/db/limits.ts';
import { connectLookUps, type LookUps } from '../../src/db/look-ups.ts';
import { type BlockedSession, untilSessionsEnded } from '../support/database/held-locks.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/database/own-postgres.ts';
import { closeStandIn, fateOf, standIn } from '../support/database/stand-in-server.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const LIMITS = { statementMs: 500, lockMs: 0, idleInTransactionMs: 0 };
const IMPATIENT = { connectMs: 2_000, checkEveryMs: 300, beyondStatementMs: 500 };
let postgres: OwnPostgres;

// One server for all tests: each leaves it running.
beforeAll(async () => {
  postgres = await startOwnPostgres();
});

function connect(options: Partial<DatabaseOptions> = {}, url = postgres.url): LookUps {
  const lookUps = connectLookUps(url, {
    applicationName: 'look-ups',
    connections: 2,
    limits: LIMITS,
    ...options,
  });
  atEnd(() => lookUps.end({ timeout: 0 }));
  return lookUps;
}

const fatesOf = (lookUps: LookUps, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => fateOf(lookUps`select 1`)));

const isBack = (lookUps: LookUps) =>
  eventually('the database', async () => (await fateOf(lookUps`select 1`)) === 'ok');

async function openPool(options: Partial<DatabaseOptions> = {}): Promise<LookUps> {
  const lookUps = connect(options);
  await isBack(lookUps);
  expect(new Set(await fatesOf(lookUps, 20))).toEqual(new Set(['ok']));
  return lookUps;
}

test('while the server is away every look-up fails with few attempts to connect, and it is used again once it is back', async () => {
  const lookUps = await openPool();
  await postgres.stop();
  const proxy = await standIn(postgres.port, (socket) => socket.end());
  const fates = await fatesOf(lookUps, 500);
  expect(fates.filter((fate) => fate === 'ok')).toEqual([]);
  // The client tries again on its own, as often as the driver, until its time for a connection is over.
  expect(proxy.callers.length).toBeLessThanOrEqual(50);
  await closeStandIn(proxy);
  await eventually('refusals', async () => (await fateOf(lookUps`select 1`)) === 'connection_refused');
  await postgres.start();
  await isBack(lookUps);
  expect(new Set(await fatesOf(lookUps, 50))).toEqual(new Set(['ok']));
});

test('while one look-up tries to reach a server that is silent, the others do not wait for it', async () => {
  const lookUps = await openPool({ patience: { ...defaultPatience, connectMs: 1_000 } });
  await postgres.stop();
  const deaf = await standIn(postgres.port, () => {});
  await eventually('silence', async () => (await fateOf(lookUps`select 1`)) === 'silent');
  const tries = deaf.callers.length;
  const trying: Promise<string>[] = [];
  await eventually('another try', async () => {
    if (deaf.callers.length === tries) trying.push(fateOf(lookUps`select 1`));
    return deaf.callers.length > tries;
  });
  const open = deaf.callers.length;
  // What asks the server takes longer than a turn of the event loop.
  const turn = new Promise<string>((resolve) => setImmediate(() => resolve('they wait')));
  expect(await Promise.race([fatesOf(lookUps, 20), turn])).toEqual(
    Array.from({ length: 20 }, () => 'silent'),
  );
  expect(deaf.callers.length).toBe(open);
  await Promise.all(trying);
  await closeStandIn(deaf);
  await postgres.start();
  await isBack(lookUps);
});

test('a frozen server holds no look-up for ever, and the connections come back', async () => {
  const lookUps = await openPool({ patience: IMPATIENT });
  postgres.freeze();
  expect(new Set(await fatesOf(lookUps, 300))).toEqual(new Set(['silent']));
  // The next try waits for a connection in vain.
  expect(await fateOf(lookUps`select 1`)).toBe('silent');
  postgres.thaw();
  await isBack(lookUps);
  expect(new Set(await fatesOf(lookUps, 50))).toEqual(new Set(['ok']));
});

test('look-ups whose connections are killed fail once, and none is left without an end', async () => {
  const owner = connectDatabase(postgres.url, { applicationName: 'owner', connections: 1 });
  atEnd(() => owner.end({ timeout: 0 }));
  const lookUps = await openPool({ connections: 3, limits: { ...LIMITS, statementMs: 10_000 } });
  for (let kills = 0; kills < 30; kills += 1) {
    const asked = fatesOf(lookUps, 12);
    const killed = await owner<BlockedSession[]>`
      select pid, query, pg_terminate_backend(pid) from pg_stat_activity where application_name = 'look-ups'`;
    for (const fate of await asked)
      expect(['ok', 'not_accepting', 'connection_lost', 'session_ended']).toContain(fate);
    await untilSessionsEnded(owner, killed);
  }
  await isBack(lookUps);
  expect(new Set(await fatesOf(lookUps, 30))).toEqual(new Set(['ok']));
  const [sessions] = await owner<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where application_name = 'look-ups'`;
  expect(sessions?.count).toBeLessThanOrEqual(3);
});

// These only ask a server that is well, side by side.
test.concurrent('a slow look-up is ended by the server, and its connection stays', async () => {
  const lookUps = await openPool({ connections: 1 });
  const before = await lookUps`select pg_backend_pid() as pid`;
  expect(await fateOf(lookUps`select pg_sleep(60)`)).toBe('statement_timeout');
  expect(await lookUps`select pg_backend_pid() as pid`).toEqual([...before] as never);
});

test.concurrent('refusals of the server are distinguished: wrong password, missing database, role, no server', async () => {
  const other = (change: Partial<Record<'password' | 'pathname' | 'port', string>>) =>
    fateOf(connect({}, Object.assign(new URL(postgres.url), change).href)`select 1`);
  expect(await other({ password: 'wrong' })).toBe('password_refused');
  expect(await other({ pathname: '/nowhere' })).toBe('database_missing');
  expect(await other({ port: '1' })).toBe('connection_refused');
  expect(await fateOf(connect({ role: 'launchwire_api' })`select 1`)).toBe('role_refused');
});

test.concurrent('an error of a look-up does not count against the server, and has its SQLSTATE', async () => {
  const lookUps = await openPool();
  const error = await lookUps`select 1 / 0`.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: '22012', message: 'division by zero' });
  expect([databaseFailure(error), isDatabaseAway(error)]).toEqual([null, false]);
});

test.concurrent('a pool that has ended refuses what comes after it, and finishes what came before', async () => {
  const lookUps = await openPool();
  const before = lookUps`select pg_sleep(0.1)`.then(() => 'ok', String);
  await lookUps.end({ timeout: 5 });
  expect(await before).toBe('ok');
  expect(await fateOf(lookUps`select 1`)).toBe('connection_lost');
});
