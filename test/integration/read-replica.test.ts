import { beforeAll, expect, test } from 'bun:test';
import postgres, { type Sql } from 'postgres';
import { checkReplica } from '../../src/admin/doctor/check-replica.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { connectReplica, MeasuredReplica } from '../../src/db/replica.ts';
import { createLogger } from '../../src/shared/log.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { withDatabase } from '../support/database/database-url.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/database/replicated-postgres.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

let pair: ReplicatedPostgres;
let database: TestDatabase;
let replicaUrl: string;
let primary: Database;
let replica: Database;
let owner: Database;
/** The owner of the standby, who pauses its replay. */
let onStandby: Sql;
const log = createLogger('replica', 'silent');

beforeAll(async () => {
  pair = await startReplicatedPostgres();
  database = await createTestDatabase(pair.url);
  replicaUrl = withDatabase(pair.standbyUrl, new URL(database.url).pathname.slice(1));
  await pair.catchUp();
  primary = connectDatabase(database.url, {
    applicationName: 'test',
    connections: 2,
    role: 'launchwire_api',
    limits: databaseLimits.api,
  });
  // Patient: a measurement that fails would count as a replica that is gone.
  replica = connectDatabase(replicaUrl, {
    applicationName: 'test',
    connections: 2,
    role: 'launchwire_api',
    limits: databaseLimits.api,
  });
  owner = connectDatabase(database.url, { applicationName: 'owner', connections: 1 });
  onStandby = postgres(pair.standbyUrl, { max: 1, onnotice: () => {} });
  atEnd(async () => {
    await Promise.all([
      primary.end({ timeout: 0 }),
      replica.end({ timeout: 0 }),
      owner.end({ timeout: 0 }),
      onStandby.end({ timeout: 0 }),
    ]);
  });
});

async function pause(): Promise<void> {
  await onStandby`select pg_wal_replay_pause()`;
  await eventually('a paused replay', async () => {
    const [row] = await onStandby<{ state: string }[]>`select pg_get_wal_replay_pause_state() as state`;
    return row?.state === 'paused';
  });
}

const write = () => database.sql`select pg_logical_emit_message(true, 'test', 'moves the log')`;

/** Measures with a clock of the test until the replica has everything of a moment. */
async function untilFresh(measured: MeasuredReplica, atLeastMs: number): Promise<void> {
  await eventually('a fresh replica', async () => {
    await measured.measure();
    return measured.freshThroughMs() >= atLeastMs;
  });
}

test('a replica is as fresh as the position that it has reached, and no fresher while its replay is paused', async () => {
  let nowMs = 1_000;
  const measured = new MeasuredReplica({ primary, replica, log }, () => nowMs);
  expect(measured.fault).toBe('unmeasured');
  expect(measured.freshThroughMs()).toBe(Number.NEGATIVE_INFINITY);
  await write();
  await untilFresh(measured, 1_000);
  expect(measured.fault).toBeNull();

  await pause();
  await write();
  nowMs = 2_000;
  await measured.measure();
  await measured.measure();
  expect(measured.freshThroughMs()).toBe(1_000);
  expect(measured.lagMs).toBe(1_000);
  expect(measured.behindBytes).toBeGreaterThan(0n);

  nowMs = 3_000;
  await onStandby`select pg_wal_replay_resume()`;
  await untilFresh(measured, 3_000);
  // Servers write records of their own in between.
  await eventually('nothing is left', async () => {
    await measured.measure();
    return measured.behindBytes === 0n;
  });
});

/** What doctor says of a replica that responds within its second: on a busy machine a connection may take longer. */
const checked = (...asked: Parameters<typeof checkReplica>) =>
  eventually('a replica that responds in time', async () => {
    const found = await checkReplica(...asked);
    return !found.detail.endsWith('anonymous reads use the primary') && found;
  });

test('doctor says how far a replica is behind, and that a paused one serves nothing', async () => {
  const access = { databaseUrl: database.url };
  const found = await checked(owner, access, { replicaUrl, apis: 2 });
  expect(found).toMatchObject({ check: 'replica', state: 'ok' });
  expect(found.detail).toMatch(/^\d+ bytes behind, caught up within \d+ ms; at most 16 of \d+ connections$/);
  const many = await checked(owner, access, { replicaUrl, apis: 1_000 });
  expect(many.detail).toContain('set its max_connections to');
  await pause();
  await write();
  const paused = await checked(owner, access, { replicaUrl, apis: 1 });
  expect(paused.detail).toMatch(
    /bytes behind, and not caught up within 5 s, so that it serves nothing: its replay is paused/,
  );
  await onStandby`select pg_wal_replay_resume()`;
});

test('a server that is no standby of this primary serves nothing', async () => {
  const other = await createTestDatabase();
  const otherServer = connectReplica({ databaseUrl: other.url }, other.url);
  const same = connectReplica({ databaseUrl: database.url }, database.url);
  const gone = connectReplica({ databaseUrl: database.url }, 'postgres://x:y@127.0.0.1:9/z');
  atEnd(async () => {
    await Promise.all([otherServer, same, gone].map((pool) => pool.end({ timeout: 0 })));
  });
  for (const [server, fault] of [
    [otherServer, 'not_a_standby'],
    [same, 'not_a_standby'],
    [gone, 'unreachable'],
  ] as const) {
    const measured = new MeasuredReplica({ primary, replica: server, log });
    await measureUntil(measured, fault);
    expect(measured.freshThroughMs()).toBe(Number.NEGATIVE_INFINITY);
  }
  expect(await checked(owner, { databaseUrl: database.url }, { replicaUrl: database.url, apis: 1 })).toEqual({
    check: 'replica',
    state: 'failed',
    detail:
      'DATABASE_REPLICA_URL: it is no standby: leave DATABASE_REPLICA_URL out, or name a standby of DATABASE_URL',
  });
  // The standby has the databases of its own primary only.
  const foreign = new MeasuredReplica({ primary: connectOwner(other.url), replica, log });
  await measureUntil(foreign, 'another_history');
});

/** A connection may take longer than a measurement. */
async function measureUntil(measured: MeasuredReplica, fault: string): Promise<void> {
  await eventually(fault, async () => {
    await measured.measure();
    return measured.fault === fault;
  });
}

function connectOwner(url: string): Database {
  const pool = connectDatabase(url, { applicationName: 'test', connections: 1, role: 'launchwire_api' });
  atEnd(() => pool.end({ timeout: 0 }));
  return pool;
}

/** Loads of anonymous reads by where they went. */
async function readsOf(api: TestApi): Promise<Record<string, number>> {
  const text = await api.metrics();
  return Object.fromEntries(
    [...text.matchAll(/launchwire_replica_reads_total\{source="(\w+)"\} (\d+)/g)].map(
      ([, name = '', count]) => [name, Number(count)],
    ),
  );
}

test('anonymous reads come from the replica, never older than their cache may be, and from the primary otherwise', async () => {
  const api = await startTestApi({ database, environment: { DATABASE_REPLICA_URL: replicaUrl } });
  const mint = 'So11111111111111111111111111111111111111112';
  await api.dependencies.database`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, created_at, updated_at)
    values (${mint}, ${mint}, 'first', 'FIRST', 6, 1000000000, 'dbc', 'bonding', now(), now())`;
  await api.dependencies.database`
    insert into token_markets (mint_address, as_of) values (${mint}, now())`;
  const get = async (path: string) => {
    const response = await fetch(`${api.baseUrl}${path}`);
    return { status: response.status, etag: response.headers.get('etag') };
  };
  await pair.catchUp();
  await eventually('a read from the replica', async () => {
    await get(`/tokens/${mint}/market`);
    return (await readsOf(api)).replica ?? 0;
  });
  for (const path of [`/tokens/${mint}`, '/tokens', '/presales', `/tokens/${mint}/trades`])
    expect((await get(path)).status).toBe(200);

  // A replica that lies: it answers, and shows nothing new.
  await pause();
  await database.sql`update tokens set name = 'after the pause' where mint_address = ${mint}`;
  await eventually('the new name, by the age of the cache alone', async () => {
    const token = (await (await fetch(`${api.baseUrl}/tokens/${mint}`)).json()) as { name: string };
    return token.name === 'after the pause';
  });
  expect((await readsOf(api)).lag).toBeGreaterThan(0);
  const [{ name } = { name: '' }] = await replica<{ name: string }[]>`
    select name from tokens where mint_address = ${mint}`;
  expect(name).not.toBe('after the pause');
  await onStandby`select pg_wal_replay_resume()`;
  const before = (await readsOf(api)).replica ?? 0;
  await eventually('the replica again', async () => {
    await get(`/tokens/${mint}/market`);
    return ((await readsOf(api)).replica ?? 0) > before;
  });
  await api.stop();
});
