import { beforeAll, describe, expect, test } from 'bun:test';
import { freePort } from '../../sandbox/services/free-port.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { type HeldLocks, haveSessionsEnded, holdLocks } from '../support/database/held-locks.ts';
import { readReadiness } from '../support/http/readiness.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { sharedRedisUrl } from '../support/servers/services.ts';

let database: Database;
let databaseUrl: string;
let first: ApiProcess;
let second: ApiProcess;

beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  databaseUrl = testDatabase.url;
  database = connectDatabase(databaseUrl, { applicationName: 'test', connections: 4 });
  atEnd(() => database.end());
  const environment = {
    REDIS_URL: await sharedRedisUrl(),
    RATE_LIMITS:
      '{"webhook-admin":{"limit":100000,"windowSeconds":60},"api-key-read":{"limit":40,"windowSeconds":86400}}',
  };
  [first, second] = await Promise.all([
    startApiProcess(databaseUrl, environment),
    startApiProcess(databaseUrl, environment),
  ]);
});

function create(
  { baseUrl }: ApiProcess,
  key: TestKey,
  idempotencyKey: string,
  url: string,
): Promise<Response> {
  return decided(() =>
    fetch(`${baseUrl}/webhook-endpoints`, {
      method: 'POST',
      headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ url }),
    }),
  );
}

/** Sends until the limiter decided: on a starved machine Redis may miss its deadline, and then nothing is done (contract/rate-limits#fail-closed). */
async function decided(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
    const { code } = (await response.clone().json()) as { code: string };
    if (code !== 'rate_limit_unavailable') return response;
  }
}

async function endpointCount({ accountId }: TestKey): Promise<number> {
  const [row] = await database<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints where account_id = ${accountId}`;
  return row?.count ?? 0;
}

describe('two api processes', () => {
  test('run 200 simultaneous attempts under one key once', async () => {
    const key = await createTestKey(database);
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        create(index % 2 === 0 ? first : second, key, 'many-00001', 'http://127.0.0.1:8080/many'),
      ),
    );
    const fresh = responses.filter(
      ({ status, headers }) => status === 201 && !headers.has('idempotent-replayed'),
    );
    expect(fresh.length).toBe(1);
    for (const { status } of responses) expect([201, 409]).toContain(status);
    expect(await endpointCount(key)).toBe(1);
    const bodies = await Promise.all(
      responses.filter(({ status }) => status === 201).map((response) => response.text()),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  test('share one budget exactly', async () => {
    const key = await createTestKey(database);
    const responses = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        fetch(`${(index % 2 === 0 ? first : second).baseUrl}/me`, { headers: key.header }),
      ),
    );
    const count = (wanted: number) => responses.filter(({ status }) => status === wanted).length;
    const [accepted, refused, undecided] = [count(200), count(429), count(503)];
    expect(accepted + refused + undecided).toBe(120);
    // The limiter usually decides every request. An undecided one may still have used the budget.
    expect(accepted).toBeLessThanOrEqual(40);
    expect(accepted + undecided).toBeGreaterThanOrEqual(40);
    expect(refused).toBeLessThanOrEqual(80);
  });

  test('refuse a revoked key within five seconds, both of them', async () => {
    const key = await createTestKey(database, { scopes: ['webhooks:read'] });
    const statuses = () =>
      Promise.all(
        [first, second].map(async ({ baseUrl }) => {
          const read = () => fetch(`${baseUrl}/webhook-endpoints`, { headers: key.header });
          return (await decided(read)).status;
        }),
      );
    expect(await statuses()).toEqual([200, 200]);
    await database`update api_keys set revoked_at = now() where id = ${key.keyId}`;
    const revokedAtMs = performance.now();
    let acceptedAfterMs = 0;
    await eventually('both refuse it', async () => {
      // biome-ignore lint/plugin: a busy machine cannot break it: later requests are refused too
      const afterMs = performance.now() - revokedAtMs;
      const refused = (await statuses()).every((status) => status === 401);
      if (!refused) acceptedAfterMs = afterMs;
      return refused;
    });
    // contract/authentication#revocation limits when a request is sent, not how long its response takes.
    expect(acceptedAfterMs).toBeLessThan(5_000);
  });
});

describe('processes that share a port', () => {
  test('show their metrics each on a port of its own, and not on the shared one', async () => {
    const metricsPort = await freeNeighbours();
    const api = await startApiProcess(databaseUrl, { API_WORKERS: '2', METRICS_PORT: String(metricsPort) });
    const startTimes = await Promise.all(
      [metricsPort, metricsPort + 1].map((port) =>
        eventually(`metrics on ${port}`, async () => {
          const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
          return /^process_start_time_seconds (\S+)$/m.exec((await response?.text()) ?? '')?.[1];
        }),
      ),
    );
    expect(startTimes).toHaveLength(2);
    expect((await readReadiness(`http://127.0.0.1:${metricsPort}`)).code).toBe(200);
    expect((await fetch(new URL('/metrics', api.baseUrl))).status).toBe(404);
  });
});

/** The first of two free ports. */
async function freeNeighbours(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await isFree(port + 1)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}

describe('a process killed in the middle of a mutation', () => {
  test('leaves no stuck key and no partial work: the same key succeeds elsewhere', async () => {
    const key = await createTestKey(database);
    const victim = await startApiProcess(databaseUrl);
    const account = await holdAccount(key);
    const attempt = create(victim, key, 'killed-0001', 'http://127.0.0.1:8080/killed').catch(
      () => 'connection lost',
    );
    const sessions = await account.untilBlocked('the mutation is in the middle');
    await victim.child.kill();
    expect(await attempt).toBe('connection lost');
    const busy = await create(second, key, 'killed-0001', 'http://127.0.0.1:8080/killed');
    expect(busy.ok).toBe(false);
    // On a starved machine the session may first end at the limit of its wait. The other process then waits for the row as well.
    if (!(await haveSessionsEnded(database, sessions))) expect(busy.status).toBe(409);
    await account.commit();
    const response = await eventually('the key is free', async () => {
      const answer = await create(second, key, 'killed-0001', 'http://127.0.0.1:8080/killed');
      return answer.status === 201 ? answer : null;
    });
    expect(response.headers.get('idempotent-replayed')).toBeNull();
    expect(await endpointCount(key)).toBe(1);
  });
});

describe('a process asked to stop', () => {
  test('finishes open requests, accepts no new ones, and exits 0', async () => {
    const key = await createTestKey(database);
    const api = await startApiProcess(databaseUrl);
    const account = await holdAccount(key);
    const inFlight = create(api, key, 'stopped-001', 'http://127.0.0.1:8080/stopped');
    await account.untilBlocked('the mutation is in the middle');
    process.kill(api.child.pid, 'SIGTERM');
    const refused = () =>
      fetch(`${api.baseUrl}/tokens`).then(
        () => false,
        () => true,
      );
    await eventually('new connections are refused', refused);
    await account.commit();
    expect((await inFlight).status).toBe(201);
    expect(await api.child.exited).toMatchObject({ code: 0 });
  });
});

describe('a flood of wrong keys', () => {
  test('neither reaches Postgres key by key nor locks out a good one', async () => {
    const key = await createTestKey(database);
    const good = () => decided(() => fetch(`${first.baseUrl}/webhook-endpoints`, { headers: key.header }));
    expect((await good()).status).toBe(200);
    const lookUps = async () => {
      const [row] = await database<{ scans: bigint }[]>`
        select idx_scan as scans from pg_stat_user_indexes where indexrelname = 'api_keys_pkey'`;
      return row?.scans ?? 0n;
    };
    const before = await lookUps();
    const wrong = Array.from({ length: 1_000 }, (_, index) => {
      const text = `lw_test_${String(index).padStart(16, '0')}_${'x'.repeat(43)}`;
      const headers = { authorization: `Bearer ${text}` };
      return decided(() => fetch(`${first.baseUrl}/webhook-endpoints`, { headers }));
    });
    const statuses = (await Promise.all(wrong)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await good()).status).toBe(200);
    // Statistics arrive late, never early: the bound holds at any moment.
    expect(Number((await lookUps()) - before)).toBeLessThan(300);
  });
});

/** Locks the account row, which holds a mutation between its first and last statement, until it is released. */
const holdAccount = ({ accountId }: TestKey): Promise<HeldLocks> =>
  holdLocks(database, (transaction) => transaction`select from accounts where id = ${accountId} for update`);
