import { expect, test } from 'bun:test';
import { Connection } from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { databaseFailure } from '../../src/db/failure.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { connectLookUps } from '../../src/db/look-ups.ts';
import { readStandbyState } from '../../src/db/standby.ts';
import { findKeptPositions, readLog } from '../../src/features/streams/log/read-log.ts';
import { type EventPosition, listEvents } from '../../src/features/webhooks/events/list-events.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { withDatabase } from '../support/database/database-url.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/database/replicated-postgres.ts';
import {
  fundedWallet,
  insertAccount,
  insertIntent,
  signedTransfer,
} from '../support/intents/submitted-intent.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import {
  startInternalProcess,
  startRelayProcess,
  startWorkerProcess,
} from '../support/processes/service-processes.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';
import { followStreams } from '../support/streams/following-client.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const ACCOUNT = '00000000-0000-7000-8000-000000000000';
const outbox = createOutbox({ source: 'https://x.test/api/v2', docsUrl: 'https://x.test/docs' }, systemClock);

interface Pair {
  postgres: ReplicatedPostgres;
  /** Names both servers. */
  url: string;
  db: Database;
}

async function startPair(options: { synchronous: boolean }): Promise<Pair> {
  const postgres = await startReplicatedPostgres(options);
  const { url: common } = await createTestDatabase(postgres.url);
  const url = postgres.hosts.replace(/\/postgres$/, new URL(common).pathname);
  const db = connectDatabase(url, { applicationName: 'test', connections: 4 });
  atEnd(() => db.end({ timeout: 1 }));
  return { postgres, url, db };
}

const record = (db: Database) =>
  db.begin((transaction) =>
    outbox.append(transaction, { name: 'launch.created', subject: MINT, accountId: null, data: {} }),
  );

async function listAfter(db: Database, after?: EventPosition) {
  const types = { ofEveryone: [eventType('launch.created')], ofAccount: [] };
  const { items, last } = await listEvents(db, { accountId: ACCOUNT, types, limit: 100, after });
  return { ids: items.map(({ id }) => id), last };
}

const lastLogged = async (db: Database) => {
  const [row] = await db<{ id: bigint }[]>`select max(id) as id from stream_log`;
  return row?.id ?? 0n;
};

const untilWritable = (db: Database) => eventually('the new primary', () => record(db).catch(() => null));

/** What `admin doctor` says of the standby. */
async function standbyByDoctor(url: string): Promise<string> {
  const environment = { DATABASE_URL: url, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
  const { output } = await runAdmin(['doctor', '--json'], environment);
  const { checks } = JSON.parse(output) as { checks: { check: string; state: string; detail: string }[] };
  const found = checks.find(({ check }) => check === 'standby');
  return `${found?.state}: ${found?.detail}`;
}

test('with a synchronous standby cursors go on after its promotion, at every place', async () => {
  const { postgres, db } = await startPair({ synchronous: true });
  const early = await record(db);
  const { last: first } = await listAfter(db);
  const late = await record(db);
  const { last } = await listAfter(db);
  const before = await readLog(db, 0n, 100);
  await postgres.failOver();

  const young = await untilWritable(db);
  expect((await listAfter(db)).ids).toEqual([early, late, young]);
  expect((await listAfter(db, first)).ids).toEqual([late, young]);
  const { ids, last: newest } = await listAfter(db, last);
  expect(ids).toEqual([young]);
  expect((await listAfter(db, newest)).ids).toEqual([]);

  const after = await readLog(db, before.completeThrough, 100);
  expect(after.epoch).toBe(before.epoch);
  expect(after.entries.map(({ ref }) => ref)).toEqual([young]);
  const positions = before.entries.map(({ id }) => id);
  expect(positions.every((id) => id < after.timelineStart)).toBe(true);
  expect(await findKeptPositions(db, positions)).toEqual(new Set(positions));
});

test('a cursor of what an asynchronous standby did not get is refused, earlier ones go on, and no place is given out twice', async () => {
  const { postgres, url, db } = await startPair({ synchronous: false });
  expect(await readStandbyState(db)).toBe('asynchronous');
  expect(await standbyByDoctor(url)).toStartWith('ok: connected, and no commit waits for it');
  const kept = await record(db);
  const { last: keptCursor } = await listAfter(db);
  const keptPosition = await lastLogged(db);
  await postgres.catchUp();
  postgres.cutReplication();
  const lost = await record(db);
  const { last: lostCursor } = await listAfter(db);
  const lostPosition = await lastLogged(db);
  await postgres.failOver();

  // Nothing was written on the new timeline yet.
  await eventually('the new primary', () => db`select 1`.catch(() => null));
  expect(await findKeptPositions(db, [keptPosition, lostPosition])).toEqual(new Set([keptPosition]));
  expect((await readLog(db, null, 0)).timelineStart > lostPosition).toBe(true);
  const young = await untilWritable(db);
  expect((await listAfter(db)).ids).toEqual([kept, young]);
  expect((await listAfter(db, keptCursor)).ids).toEqual([young]);
  await expect(listAfter(db, lostCursor)).rejects.toMatchObject({ code: 'cursor_invalid' });
  expect(await findKeptPositions(db, [keptPosition, lostPosition])).toEqual(new Set([keptPosition]));
  expect(await lastLogged(db)).toBeGreaterThan(lostPosition);
  const [place] = await db<{ isAbove: boolean }[]>`
    select recorded_in > ${lostCursor[1]}::xid8 as is_above from events where id = ${young}`;
  expect(place?.isAbove).toBe(true);
  expect(lost).not.toBe(young);
});

test('writers that meet a new timeline together begin it once', async () => {
  const { postgres, url, db } = await startPair({ synchronous: true });
  await record(db);
  expect(await readStandbyState(db)).toBe('synchronous');
  expect(await standbyByDoctor(url)).toStartWith('ok: connected, and commits wait for it');
  await postgres.failOver();
  await eventually('the new primary', () => db`select 1`.catch(() => null));
  const ids = await Promise.all(Array.from({ length: 8 }, () => record(db)));
  const { entries, timelineStart } = await readLog(db, 0n, 100);
  const young = entries.filter(({ id }) => id >= timelineStart);
  expect(new Set(young.map(({ ref }) => ref))).toEqual(new Set(ids));
  expect(timelineStart).toBe(2n << 40n);
});

test('a pool leaves a primary that is frozen, and a session that finds itself on a standby ends', async () => {
  const { postgres, url } = await startPair({ synchronous: true });
  const connect = (to: string) => {
    const pool = connectDatabase(to, {
      applicationName: 'test',
      connections: 1,
      patience: { connectMs: 400, checkEveryMs: 40, beyondStatementMs: 2_000 },
    });
    atEnd(() => pool.end({ timeout: 0 }));
    return pool;
  };
  const onStandby = connect(
    withDatabase(postgres.standbyUrl, new URL(url.replace(/,[^/]*/, '')).pathname.slice(1)),
  );
  const pidOf = async () => (await onStandby<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const before = await eventually('the database on the standby', () => pidOf().catch(() => null));
  // An impatient pool may also lose its session to a busy machine.
  await eventually('a refusal, and then another session', async () => {
    const fate = await onStandby`delete from accounts`.catch(databaseFailure);
    return fate === 'read_only' && (await pidOf().catch(() => before)) !== before;
  });

  const db = connect(url);
  const lookUps = connectLookUps(url, {
    applicationName: 'test',
    connections: 2,
    limits: { ...databaseLimits['look-up'], statementMs: 1_000 },
    patience: { connectMs: 1_000, checkEveryMs: 200, beyondStatementMs: 500 },
  });
  atEnd(() => lookUps.end({ timeout: 0 }));
  const portOf = async () => {
    const [row] = await lookUps<{ port: number; isStandby: boolean }[]>`
      select inet_server_port() as port, pg_is_in_recovery() as is_standby`;
    expect(row?.isStandby).toBe(false);
    return row?.port;
  };
  await untilWritable(db);
  const primary = await eventually('a look-up', () => portOf().catch(() => null));
  // A pool that names the standby first serves nothing of it.
  const [login, hosts, rest] = url.split(/(?<=@)|(?=\/[^/]*$)/);
  const turned = connectLookUps(`${login}${hosts?.split(',').reverse().join(',')}${rest}`, {
    applicationName: 'test',
    connections: 1,
    limits: databaseLimits['look-up'],
  });
  atEnd(() => turned.end({ timeout: 0 }));
  // A slow connection ends the look-up, and the next one may find its way.
  const served = await eventually('a look-up past the standby', () =>
    turned<{ port: number }[]>`select inet_server_port() as port`.then(
      ([row]) => row,
      () => null,
    ),
  );
  expect(served.port).toBe(primary);
  await postgres.failOver({ freeze: true });
  await untilWritable(db);
  const promoted = await eventually('a look-up on the new primary', () => portOf().catch(() => null));
  expect(promoted).not.toBe(primary);
});

test('every process finds the new primary by itself, streams go on without a gap, and a repeated request has one outcome', async () => {
  const [{ postgres, url, db }, nats] = await Promise.all([
    startPair({ synchronous: true }),
    createTestNats(),
  ]);
  const key = await createTestKey(db);
  const internalPort = await freePort();
  const environment = {
    DATABASE_URL: url,
    NATS_URL: nats.url,
    SOLANA_RPC_URL: 'http://127.0.0.1:1',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    INTERNAL_PORT: String(internalPort),
    RATE_LIMITS: '{"webhook-admin":{"limit":1000000,"windowSeconds":60}}',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  };
  const [api] = await Promise.all([
    startApiProcess(url, environment),
    startWorkerProcess(environment),
    startRelayProcess(environment),
    startInternalProcess(environment),
  ]);
  const client = followStreams(() => api.baseUrl, 'tokens');
  await client.reaches(0n);
  const endpointId = await insertEndpoint(db, { accountId: key.accountId });
  const statuses = new Set<number>();
  /** Repeats a request with its key until it has its answer, as clients do. */
  const ping = () => {
    const idempotencyKey = crypto.randomUUID();
    return eventually('acceptance', async () => {
      const response = await fetch(`${api.baseUrl}/webhook-endpoints/${endpointId}/pings`, {
        method: 'POST',
        headers: { ...key.header, 'idempotency-key': idempotencyKey },
      });
      await response.arrayBuffer();
      statuses.add(response.status);
      return response.ok;
    });
  };
  let accepted = 0;
  const running = new AbortController();
  const pinging = (async () => {
    while (!running.signal.aborted) {
      await ping();
      accepted += 1;
    }
  })();
  await addToken(db, 1);
  await client.reaches(await lastLogged(db));
  await postgres.failOver();
  const found = new Set<string>();
  await eventually('a session of every process on the new primary', async () => {
    // It has no work of its own, and asks at a request.
    await fetch(`http://127.0.0.1:${internalPort}/readyz`);
    const rows = await db<{ name: string }[]>`
      select distinct split_part(application_name, '-', 2) as name from pg_stat_activity
      where application_name like 'launchwire-%'`.catch(() => []);
    for (const { name } of rows) found.add(name);
    return found.size === 4;
  });
  await eventually('a write', () => addToken(db, 2).catch(() => null));
  await client.reaches(await lastLogged(db));
  const before = accepted;
  await eventually('pings after the promotion', async () => accepted > before + 1);
  running.abort();
  await pinging;
  await client.stop();

  const events = client.messages.map(({ event }) => event);
  expect(events).not.toContain('gap');
  const tokens = client.messages.filter(({ event, snapshot }) => event === 'token' && snapshot !== true);
  expect(tokens.map(({ data }) => data.symbol)).toEqual(['W1', 'W2']);
  expect([...statuses].filter((status) => status !== 202 && status !== 503)).toEqual([]);
  const [pings] = await db<{ count: number }[]>`
    select count(*)::int as count from events where type = ${eventType('webhook.ping')}`;
  expect(pings?.count).toBe(accepted);
});

test('an intent whose submission was lost with the old server is confirmed when it landed, and expires only when it did not', async () => {
  const [{ postgres, url, db }, nats] = await Promise.all([
    startPair({ synchronous: false }),
    createTestNats(),
  ]);
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  const wallet = await fundedWallet(chain.rpcUrl);
  const accountId = await insertAccount(db);
  const prepare = async () => {
    const transfer = await signedTransfer(chain.rpcUrl, wallet);
    const now = new Date();
    const id = await insertIntent(db, accountId, {
      status: 'prepared',
      transaction: Uint8Array.from(transfer.bytes).fill(0, 1, 65),
      lastValidBlockHeight: transfer.lastValidBlockHeight,
      expiresAt: now,
      now,
    });
    await db`update transaction_intents set expected_signer = ${wallet.publicKey.toBase58()} where id = ${id}`;
    return { id, ...transfer };
  };
  const [landed, unsent] = [await prepare(), await prepare()];
  await postgres.catchUp();
  postgres.cutReplication();
  await db`
    update transaction_intents set status = 'submitted', signed_transaction = ${landed.bytes}, submitted_at = now(), version = 2
    where id = ${landed.id}`;
  await new Connection(chain.rpcUrl, 'confirmed').sendRawTransaction(landed.bytes);
  chain.advanceSlots(1);
  await postgres.failOver();

  await startWorkerProcess({
    DATABASE_URL: url,
    NATS_URL: nats.url,
    SOLANA_RPC_URL: chain.rpcUrl,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const statusOf = async ({ id }: { id: string }) => {
    const rows = await db<{ status: string }[]>`select status from transaction_intents where id = ${id}`;
    return rows[0]?.status;
  };
  await eventually('the landed intent is confirmed', async () => (await statusOf(landed)) === 'confirmed');
  expect(await statusOf(unsent)).toBe('prepared');
  chain.advanceSlots(200);
  await eventually('the other one expires', async () => (await statusOf(unsent)) === 'expired');
});

async function addToken(db: Database, number: number): Promise<true> {
  const mint = `${MINT.slice(0, -1)}${number}`;
  await db`
    insert into tokens (mint_address, pool_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, created_at, updated_at)
    values (${mint}, ${mint}, ${mint}, 'Promoted', ${`W${number}`}, 6, 1000000000, 'dbc', 'bonding', now(), now())
    on conflict do nothing`;
  return true;
}
