import { beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RedisClient } from 'bun';
import { startChain } from '../../sandbox/chain/server.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { startRedis } from '../../sandbox/services/redis.ts';
import { WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { writeCurveConfigKeys } from '../../src/chain/pools/curve/config-account.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Address } from '../../src/shared/address.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { setFeature } from '../support/chain/feature-accounts.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { startTlsPostgres } from '../support/database/tls-postgres.ts';
import { serverAuthority, serverCertificate } from '../support/http/server-certificates.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { curveConfigAccount } from '../support/pools/pool-accounts-from-numbers.ts';
import { testOutbox } from '../support/processes/worker-context.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { startBusWithUsers } from '../support/servers/bus-with-users.ts';
import { createTestNats } from '../support/servers/nats.ts';
import { sharedRedisUrl } from '../support/servers/services.ts';

const SECRET_KEY = randomBytes(32);
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

let db: Database;
let healthy: Record<string, string>;

/** A node that reports only its position. */
function startNode(genesis: string, slot: number, slotsInMinute = 300): string {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { id, method } = (await request.json()) as { id: unknown; method: string };
      const sample = { slot, numSlots: slotsInMinute, numTransactions: 1, samplePeriodSecs: 60 };
      const result =
        method === 'getGenesisHash'
          ? genesis
          : method === 'getRecentPerformanceSamples'
            ? [sample]
            : { absoluteSlot: slot, blockHeight: slot, epoch: 1, slotIndex: 1, slotsInEpoch: 432_000 };
      return Response.json({ jsonrpc: '2.0', result, id });
    },
  });
  atEnd(async () => void (await server.stop(true)));
  return `http://127.0.0.1:${server.port}`;
}

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const pool = connectDatabase(url, { applicationName: 'test', connections: 2 });
  atEnd(() => pool.end({ timeout: 1 }));
  db = pool;
  const nats = await createTestNats();
  const connection = await connectBus(nats.url, 'test');
  await ensureStreams(connection);
  await connection.close();
  healthy = {
    DATABASE_URL: url,
    NATS_URL: nats.url,
    REDIS_URL: await sharedRedisUrl(),
    SOLANA_RPC_URL: startNode(MAINNET, 1_000),
    SECRET_KEY: SECRET_KEY.toString('base64'),
    IMAGE_FOLDER: createTempDir('images'),
  };
  const { accountId } = await createTestKey(db);
  const id = Bun.randomUUIDv7();
  const sealedSecret = sealWebhookSecret(createSecretBox(SECRET_KEY), id, generateWebhookSecret());
  await insertEndpoint(db, { id, accountId, sealedSecret });
});

/** A config of the curve with this quote mint, as a node returns it. */
function configAccount(quoteMint: string) {
  const { owner, data } = curveConfigAccount({ curve: [] });
  writeCurveConfigKeys(data, { quoteMint: quoteMint as Address });
  return { lamports: 1, owner, data: [Buffer.from(data).toString('base64'), 'base64'], executable: false };
}

interface Check {
  check: string;
  state: string;
  detail: string;
}

async function doctor(changes: Record<string, string> = {}, ...options: string[]) {
  const args = ['doctor', '--json', ...options];
  const { code, output } = await runAdmin(args, { ...healthy, ...changes });
  const { healthy: isHealthy, checks } = JSON.parse(output) as { healthy: boolean; checks: Check[] };
  return { code, isHealthy, output, failures: checks.filter(({ state }) => state === 'failed'), checks };
}

test('when everything works, each check reports its finding, and the exit code is 0', async () => {
  const { code, isHealthy, checks, failures } = await doctor();
  expect(failures).toEqual([]);
  expect({ code, isHealthy }).toEqual({ code: 0, isHealthy: true });
  const node = new URL(healthy.SOLANA_RPC_URL ?? '').host;
  expect(checks.map(({ check, state }) => `${check} ${state}`)).toEqual([
    'variables ok',
    'deployment ok',
    'postgres ok',
    'clock ok',
    'schema ok',
    'roles ok',
    'connections ok',
    'standby ok',
    // nats-server 2.9 has no sync_interval.
    expect.stringMatching(/^nats (ok|warning)$/),
    'outbox ok',
    'redis ok',
    `node ${node} ok`,
    `pace of node ${node} ok`,
    'send addresses skipped',
    'launch configs skipped',
    'nonce gates skipped',
    'images ok',
    'decoders ok',
    'secrets ok',
    'order keys skipped',
    'result link keys skipped',
  ]);
  const detail = (name: string) => checks.find(({ check }) => check === name)?.detail;
  expect(detail('secrets')).toBe('1 open');
  expect(detail('outbox')).toBe('0 events wait to be published');
  expect(detail(`node ${node}`)).toBe('mainnet-beta, slot 1000');
  expect(detail('nats')).toMatch(/^nats-server 2\.\d+\.\d+.* with JetStream; INGEST holds 0 messages(;|$)/);
});

test('a service that is not configured is skipped, which is no failure', async () => {
  const only = { NATS_URL: '', REDIS_URL: '', SOLANA_RPC_URL: '', SECRET_KEY: '', IMAGE_FOLDER: '' };
  const { code, checks } = await doctor(only);
  expect(code).toBe(0);
  const skipped = checks.filter(({ state }) => state === 'skipped');
  expect(skipped.map(({ check }) => check)).toEqual([
    'nats',
    'redis',
    'nodes',
    'pace',
    'send addresses',
    'launch configs',
    'nonce gates',
    'images',
    'decoders',
    'secrets',
    'order keys',
    'result link keys',
  ]);
});

test.each([
  [1_200, /^a slot every 50 ms; SOLANA_SLOT_MS_MIN is 66, .* not believed/],
  [60, /^a slot every 1000 ms; .* lives longer than expiresAt says$/],
  [0, /^no slot in its last sample/],
])('a node whose last minute had %p slots is a failure', async (slotsInMinute, detail) => {
  const { failures } = await doctor({ SOLANA_RPC_URL: startNode(MAINNET, 1_000, slotsInMinute) });
  expect(failures.map(({ check }) => check)).toEqual([expect.stringMatching(/^pace of node /)]);
  expect(failures[0]?.detail).toMatch(detail);
});

test('a folder of images that cannot be written is a failure', async () => {
  const { failures } = await doctor({ IMAGE_FOLDER: '/dev/null/images' });
  expect(failures.map(({ check, detail }) => `${check}: ${detail}`)).toEqual([
    'images: the image folder cannot be written: ENOTDIR',
  ]);
});

describe('connections are counted', () => {
  /** The tests beside this one open other sessions. */
  const counted = async (...options: string[]) => {
    const { code, checks } = await doctor({}, ...options);
    const { state, detail = '' } = checks.find(({ check }) => check === 'connections') ?? {};
    const others = Number(/other sessions now (\d+):/.exec(detail)?.[1]);
    return { code, state, detail, others };
  };

  let max: number;
  let reserved: number;

  beforeAll(async () => {
    const [row] = await db<{ max: number; reserved: number }[]>`
      select current_setting('max_connections')::int as max,
        current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved`;
    ({ max, reserved } = row ?? expect.unreachable());
  });

  test('of the processes that are named, with those that replace them in an upgrade', async () => {
    const manifests = ['--processes', 'api=1,worker=1,relay=2,internal=1'];
    const { code, state, detail, others } = await counted(...manifests);
    expect({ code, state }).toEqual({ code: 0, state: 'ok' });
    expect(detail).toBe(
      'api 1 × 21, worker 1 × 22, relay 2 × 9, internal 1 × 4 (--processes), 1 more of each in an upgrade 56, ' +
        `migrate and admin 4, other sessions now ${others}: at most ${125 + others} of ${max - reserved} ` +
        `(max_connections ${max}, ${reserved} reserved)`,
    );
    const inPlace = await counted(...manifests, '--surge', '0');
    expect(inPlace.detail).toContain(
      `internal 1 × 4 (--processes), migrate and admin 4, other sessions now ${inPlace.others}: at most ${69 + inPlace.others} of`,
    );
  });

  test('and too many fail, with the number that would do', async () => {
    const { code, state, detail, others } = await counted('--processes', 'api=400,worker=4,relay=4');
    expect({ code, state }).toEqual({ code: 1, state: 'failed' });
    expect(detail).toEndWith(
      `at most ${8_580 + others} of ${max - reserved} (max_connections ${max}, ${reserved} reserved). ` +
        `Set max_connections to ${8_580 + reserved + others} or more, or run fewer processes`,
    );
  });

  test('of the processes that are connected, when none are named', async () => {
    const pools = ['relay-member', 'relay-member', 'worker-metrics', 'worker-metrics', 'worker-metrics'].map(
      (name) =>
        connectDatabase(healthy.DATABASE_URL ?? '', {
          applicationName: `launchwire-${name}`,
          connections: 1,
        }),
    );
    try {
      await Promise.all(pools.map((pool) => pool`select 1`));
      const { detail } = await counted();
      expect(detail).toStartWith(
        'api 1 × 21, worker 3 × 22, relay 2 × 9 (seen now; --processes sets other counts), 1 more of each in an upgrade 52, ',
      );
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });
});

describe('a failure is reported with its cause', () => {
  async function failure(changes: Record<string, string>): Promise<string[]> {
    const { code, isHealthy, failures, output } = await doctor(changes);
    expect({ code, isHealthy }).toEqual({ code: 1, isHealthy: false });
    expect(output).not.toContain('hunter2');
    return failures.map(({ check, detail }) => `${check}: ${detail}`);
  }

  test('a database that is away, refuses the password or does not exist', async () => {
    const away = `postgres://launchwire:hunter2hunter2@127.0.0.1:${await freePort()}/launchwire`;
    expect(await failure({ DATABASE_URL: away })).toEqual(['postgres: DATABASE_URL: it refuses connections']);
    const missing = new URL(healthy.DATABASE_URL ?? '');
    missing.pathname = '/no_such_database';
    expect(await failure({ DATABASE_URL: missing.href })).toEqual([
      'postgres: DATABASE_URL: the database does not exist',
    ]);
  });

  test('a database that demands TLS, for doctor and for every other command', async () => {
    const { url } = await startTlsPostgres(serverCertificate);
    const cause = 'no entry of its pg_hba.conf admits this connection without TLS';
    expect(await failure({ DATABASE_URL: url })).toEqual([`postgres: DATABASE_URL: ${cause}`]);
    const { output } = await runAdmin(['key', 'list', '--account', Bun.randomUUIDv7()], {
      DATABASE_URL: url,
    });
    expect(output).toContain(`Postgres cannot be used: ${cause}.`);
    const databaseCa = join(createTempDir('authority'), 'ca.pem');
    writeFileSync(databaseCa, serverAuthority);
    await migrate({ databaseUrl: url, databaseCa });
    const { checks } = await doctor({ DATABASE_URL: url, DATABASE_CA: databaseCa });
    expect(checks.find(({ check }) => check === 'postgres')?.detail).toMatch(/^PostgreSQL .*, TLSv1\.3$/);
  });

  test('a broker and a limiter that are away, and one without streams', async () => {
    const port = await freePort();
    const found = await failure({
      NATS_URL: `nats://user:hunter2hunter2@127.0.0.1:${port}`,
      REDIS_URL: `redis://:hunter2hunter2@127.0.0.1:${port}`,
    });
    expect(found).toEqual([
      'nats: NATS_URL: it refuses connections',
      'redis: REDIS_URL: it refuses connections',
    ]);
    const empty = await createTestNats();
    expect(await failure({ NATS_URL: empty.url })).toEqual([
      'nats: there is no stream INGEST: start a worker, which creates it',
    ]);
  });

  test('a broker that refuses the password, and one that refuses the user a subject', async () => {
    const bus = await startBusWithUsers();
    const wrong = `nats://admin:hunter2hunter2@127.0.0.1:${bus.server.port}`;
    expect(await failure({ NATS_URL: wrong })).toEqual(['nats: NATS_URL: it refuses user, password or key']);
    expect(await failure({ NATS_URL: bus.urlOf('relay') })).toEqual([
      'nats: NATS_URL: its user may not subscribe to _INBOX.launchwire-admin.>',
    ]);
    const connection = await connectBus(bus.urlOf('worker'), 'launchwire-worker');
    await ensureStreams(connection);
    await connection.close();
    expect((await doctor({ NATS_URL: bus.urlOf('admin') })).failures).toEqual([]);
    expect(bus.violations().filter((line) => !line.includes('"relay"'))).toEqual([]);
  });

  test('events that the broker does not take', async () => {
    const append = db.begin((transaction) =>
      testOutbox(systemClock).append(transaction, {
        name: 'launch.created',
        accountId: null,
        subject: 's',
        data: {},
      }),
    );
    const id = await append;
    try {
      expect((await doctor()).failures).toEqual([]);
      await db`update events set created_at = now() - interval '90 seconds' where id = ${id}`;
      expect(await failure({})).toEqual([
        expect.stringMatching(
          /^outbox: 1 events wait to be published, the oldest since \d+ s: no worker runs, or NATS stores nothing: .*OutboxStuck/,
        ),
      ]);
    } finally {
      await db`delete from events where id = ${id}`;
    }
  });

  test('a limiter that refuses the password', async () => {
    const url = new URL(healthy.REDIS_URL ?? '');
    url.username = 'nobody';
    url.password = 'hunter2hunter2';
    expect(await failure({ REDIS_URL: url.href })).toEqual(['redis: REDIS_URL: it refuses user or password']);
  });

  test('a limiter whose user may not do what the limiter does', async () => {
    const redis = await startRedis({ dir: createTempDir('redis'), isOpen: true });
    atEnd(() => redis.stop());
    const client = new RedisClient(redis.url);
    const rules = ['~launchwire:rate:*', '+@all', '-del', '-time'];
    await client.send('ACL', ['SETUSER', 'api', 'on', '>hunter2hunter2', ...rules]);
    client.close();
    expect(await failure({ REDIS_URL: `redis://api:hunter2hunter2@127.0.0.1:${redis.port}` })).toEqual([
      'redis: REDIS_URL: its user may not run TIME, DEL (NOPERM)',
    ]);
  });

  test('nodes that are away, behind, or of another cluster', async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    const others = [startNode(DEVNET, 5_000), startNode(MAINNET, 5_000), startNode(MAINNET, 100)];
    const nodes = [startNode(MAINNET, 5_003), ...others, away];
    const found = await failure({ SOLANA_RPC_URL: nodes.join(',') });
    const [, other, , behind, silent] = nodes.map((url) => new URL(url).host);
    expect(found).toEqual([
      `node ${other}: belongs to another cluster: SOLANA_RPC_URL must name one cluster`,
      `node ${behind}: is 4900 slots behind the others`,
      expect.stringMatching(new RegExp(`^node ${silent}: .`)),
    ]);
  });

  test('addresses for sending, by name and mark, with their credentials', async () => {
    const seen: (string | null)[] = [];
    const open = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response('no', { status: 405 }),
    });
    const guarded = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        seen.push(request.headers.get('x-token'));
        return seen.at(-1) === 'hunter3'
          ? Response.json({ result: 'ok' })
          : new Response('', { status: 401 });
      },
    });
    atEnd(async () => void (await Promise.all([open.stop(true), guarded.stop(true)])));
    const [guardedHost, away] = [`127.0.0.1:${guarded.port}`, `127.0.0.1:${await freePort()}`];
    const SOLANA_SEND_URL = `plain=http://127.0.0.1:${open.port},guard:protected=http://${guardedHost},gone=http://${away}`;
    const of = ({ checks }: { checks: Check[] }) =>
      checks.flatMap(({ check, state, detail }) =>
        check.startsWith('send address') ? `${check} ${state}: ${detail}` : [],
      );
    const refused = of(await doctor({ SOLANA_SEND_URL }));
    expect(refused).toEqual([
      'send address plain ok: without the mark protected, reachable',
      'send address guard failed: marked as protected, refuses the credentials of SOLANA_SEND_URL or SOLANA_SEND_HEADERS',
      expect.stringContaining('send address gone failed: without the mark protected, cannot be reached: '),
    ]);
    const SOLANA_SEND_HEADERS = JSON.stringify({ [guardedHost]: { 'x-token': 'hunter3' } });
    const [, guard] = of(await doctor({ SOLANA_SEND_URL, SOLANA_SEND_HEADERS }));
    expect(guard).toBe('send address guard ok: marked as protected, reachable');
    expect(seen).toEqual([null, 'hunter3']);
    expect(of(await doctor())).toEqual([
      expect.stringContaining('send addresses skipped: needs SOLANA_SEND_URL'),
    ]);
  });

  test('each launch config must be a config of the curve that is quoted in SOL', async () => {
    const [sol, other, gone] = [WRAPPED_SOL_MINT, newAddress(), newAddress()];
    const configs = new Map([
      [newAddress(), sol],
      [newAddress(), other],
    ]);
    const [ofSol = '', ofOther = ''] = configs.keys();
    const node = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const { id, method, params } = (await request.json()) as {
          id: unknown;
          method: string;
          params: [string[]];
        };
        if (method !== 'getMultipleAccounts') return new Response(null, { status: 404 });
        const [[address = '']] = params;
        const value = [configs.has(address) ? configAccount(configs.get(address) ?? '') : null];
        return Response.json({ jsonrpc: '2.0', result: { context: { slot: 1_000 }, value }, id });
      },
    });
    atEnd(async () => void (await node.stop(true)));
    const of = ({ checks }: { checks: Check[] }) =>
      checks.flatMap(({ check, state, detail }) =>
        check.startsWith('launch config') ? `${check} ${state}: ${detail}` : [],
      );
    const SOLANA_RPC_URL = `http://127.0.0.1:${node.port}`;
    const LAUNCH_CURVE_CONFIGS = `flat=${ofSol},usd=${ofOther},gone=${gone}`;
    const silent = { SOLANA_RPC_URL: 'http://127.0.0.1:1', LAUNCH_CURVE_CONFIG: ofSol };
    const [answered, unanswered] = await Promise.all([
      doctor({ SOLANA_RPC_URL, LAUNCH_CURVE_CONFIGS }),
      doctor(silent),
    ]);
    expect(of(answered)).toEqual([
      `launch config flat ok: ${ofSol}, the default`,
      `launch config usd failed: ${ofOther} is not quoted in SOL but in ${other}`,
      `launch config gone failed: ${gone} is no config of the bonding curve`,
    ]);
    expect(of(unanswered)).toEqual(['launch config standard failed: no node responds']);
  });

  test('each gate of nonces is shown; one that is scheduled, or ends all orders, is a failure', async () => {
    const chain = await startChain({ slotMs: 'manual' });
    atEnd(() => chain.stop());
    const [priority, removal] = [newAddress(), newAddress()];
    const gates = async (urls: string) => {
      const NONCE_GATES = `priority=${priority},removal=${removal}`;
      const { checks } = await doctor({ SOLANA_RPC_URL: urls, NONCE_GATES });
      return checks.flatMap(({ check, state, detail }) =>
        check.startsWith('nonce gate') ? `${check} ${state}: ${detail.split(':', 2).join(':')}` : [],
      );
    };
    const lands =
      'the priority of orders counts as 0 and is not charged, so they land where a block has room';
    const none = 'no transaction over a durable nonce can land, so no order can';
    const short = (found: string[]) => found.map((one) => one.replace(/, and a tip is .*$/, ''));
    expect(short(await gates(chain.rpcUrl))).toEqual([
      `nonce gate priority ok: ${priority}: not scheduled; with it, ${lands}`,
      `nonce gate removal ok: ${removal}: not scheduled; with it, ${none}`,
    ]);
    setFeature(chain, priority, null);
    expect(short(await gates(chain.rpcUrl))).toEqual([
      `nonce gate priority failed: ${priority}: scheduled for the next epoch; then ${lands}`,
      `nonce gate removal ok: ${removal}: not scheduled; with it, ${none}`,
    ]);
    setFeature(chain, priority, 5n);
    setFeature(chain, removal, 6n);
    expect(short(await gates(chain.rpcUrl))).toEqual([
      `nonce gate priority ok: ${priority}: active since slot 5; ${lands}`,
      `nonce gate removal failed: ${removal}: active since slot 6; ${none}`,
    ]);
    expect(await gates('http://127.0.0.1:1')).toEqual([
      `nonce gate priority failed: ${priority}: no state that two nodes show, or the only one`,
      `nonce gate removal failed: ${removal}: no state that two nodes show, or the only one`,
    ]);
  });

  describe('nodes that contradict each other', () => {
    const nameOf = (url: string) => `node ${new URL(url).host}`;
    const failures = async (urls: string[]) => {
      const { failures: found } = await doctor({ SOLANA_RPC_URL: urls.join(',') });
      return found.map(({ check, detail }) => `${check}: ${detail}`);
    };
    const nodes = (...slots: number[]) => slots.map((slot) => startNode(MAINNET, slot));

    test('the majority is believed, not the one that is a million slots ahead', async () => {
      const urls = nodes(1_001_000, 1_000, 1_002);
      expect(await failures(urls)).toEqual([
        `${nameOf(urls[0] ?? '')}: reports slot 1001000, 999998 ahead of the others, and is not believed`,
      ]);
    });

    test('of two nodes, the one that is ahead is not believed, and the finding says what would decide', async () => {
      const urls = nodes(1_000, 1_001_000);
      expect(await failures(urls)).toEqual([
        `${nameOf(urls[1] ?? '')}: reports slot 1001000, 1000000 ahead of the others, and is not believed: one of the two is wrong, and a third node would show which`,
      ]);
    });

    test('the reading of the worker decides between two nodes, and about a single one', async () => {
      await db`
        insert into indexer_cursors (pool_address, last_signature, last_slot, updated_at)
        values ('pool', 'signature', 900000, now())`;
      atEnd(async () => void (await db`delete from indexer_cursors`));
      const [ahead = '', behind = ''] = nodes(9_000_000, 1_000);
      const [right = ''] = nodes(900_010);
      expect(await failures([behind, right])).toEqual([
        `${nameOf(behind)}: is 899010 slots behind the others`,
      ]);
      expect(await failures([ahead, right])).toEqual([
        `${nameOf(ahead)}: reports slot 9000000, 8099990 ahead of the others, and is not believed`,
      ]);
      expect(await failures([behind])).toEqual([
        `${nameOf(behind)}: is 899000 slots behind the newest slot that the worker has read`,
      ]);
      expect(await failures([ahead])).toEqual([
        `${nameOf(ahead)}: reports slot 9000000, which the chain cannot have reached since slot 900000 was read`,
      ]);
      await db`delete from indexer_cursors`;
    });
  });

  test('a key that does not open the stored secrets, and one that does as an earlier key', async () => {
    const other = randomBytes(32).toString('base64');
    expect(await failure({ SECRET_KEY: other })).toEqual([
      'secrets: 1 of 1 are under a key that is neither SECRET_KEY nor in SECRET_KEY_PREVIOUS or ORDER_KEYS: name that key',
    ]);
    const { code, checks } = await doctor({
      SECRET_KEY: other,
      SECRET_KEY_PREVIOUS: healthy.SECRET_KEY ?? '',
    });
    expect(code).toBe(0);
    const secrets = checks.find(({ check }) => check === 'secrets');
    expect(secrets?.detail).toBe('1 open, 1 of them under an earlier key');
  });

  test('a misspelt variable', async () => {
    expect(await failure({ WEBHOOK_RETRY_SHEDULE: '1,2' })).toEqual([
      'variables: WEBHOOK_RETRY_SHEDULE is no variable of Launchwire: the most similar is WEBHOOK_RETRY_SCHEDULE',
    ]);
  });

  test('rights that a role has lost or gained, and a schema that is too old', async () => {
    await db`revoke select on accounts from launchwire_api`;
    await db`grant delete on tokens to launchwire_relay`;
    try {
      expect(await failure({})).toEqual([
        'roles: launchwire_api has the rights U(created_at) on accounts, not S U(created_at); ' +
          'launchwire_relay has the rights D on tokens, not nothing: compare with src/db/grants.ts, a dump without rights does not include them',
      ]);
    } finally {
      await db`grant select on accounts to launchwire_api`;
      await db`revoke delete on tokens from launchwire_relay`;
    }
    await db.unsafe("comment on table drizzle.__drizzle_migrations is '1'");
    expect(await failure({})).toEqual([
      'schema: older than this release needs: run the migrations of this release (npm run migrate)',
    ]);
  });
});
