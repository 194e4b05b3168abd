import { expect, test } from 'bun:test';
import postgres from 'postgres';
import type { Database } from '../../src/db/client.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { startOwnPostgres } from '../support/database/own-postgres.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { createMixedLoad } from '../support/mixed-load/mixed-load.ts';
import {
  allHaveStatus,
  count,
  deliveryOutcomes,
  missingDeliveries,
  openDeliveries,
} from '../support/mixed-load/settled-work.ts';
import {
  startChainProcess,
  startRelayProcess,
  startWorkerProcess,
} from '../support/processes/service-processes.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld } from '../support/webhooks/webhook-relay.ts';

/** A relay loses its membership when its last heartbeat is older than this. It then starts no attempts. */
const MEMBERSHIP_LOST_MS = 5_000;
/** Connections of the test itself. */
const SESSIONS_MAX = 8;

async function sessionState(db: Database): Promise<string> {
  // The sleep keeps each session busy, so each statement gets a different one.
  const [row] = await db<{ state: string }[]>`
    select current_setting('default_transaction_read_only') as state from pg_sleep(0.05)`;
  return row?.state ?? '';
}

test('while Postgres is read-only under load nothing is lost, and api, worker and relay go on by themselves after it', async () => {
  const server = await startOwnPostgres();
  const chainUrl = await startChainProcess();
  const world = await createRelayWorld(
    {
      SOLANA_RPC_URL: chainUrl,
      RATE_LIMITS: '{"webhook-admin":{"limit":1000000,"windowSeconds":60}}',
    },
    server.url,
  );
  const { sql: db, connection, environment } = world;
  const admin = postgres(server.url, { max: 1 });
  atEnd(() => admin.end({ timeout: 1 }));
  const setReadOnly = async (value: 'on' | 'off') => {
    await admin.unsafe(`alter system set default_transaction_read_only = ${value}`);
    await admin`select pg_reload_conf()`;
    // Each session applies the setting separately. The test waits until all of its sessions have.
    await eventually(`this test's sessions are ${value}`, async () => {
      const sessions = Array.from({ length: SESSIONS_MAX }, () => sessionState(db));
      return (await Promise.all(sessions)).every((state) => state === value);
    });
  };
  const wallet = await fundedWallet(chainUrl);
  const key = await createTestKey(db, { walletAddress: wallet.publicKey.toBase58() });
  const receiver = await startReceiver();
  const endpoint = await world.createEndpoint(`${receiver.origin}/hook`, { accountId: key.accountId });
  const [api, ...processes] = await Promise.all([
    startApiProcess(environment.DATABASE_URL ?? '', environment),
    startWorkerProcess(environment),
    startRelayProcess(environment),
  ]);

  const statuses = new Set<number>();
  let accepted = 0;
  /** Repeats the request with the same key until it is accepted, as clients do. */
  const ping = async () => {
    const idempotencyKey = crypto.randomUUID();
    await eventually('acceptance', async () => {
      const response = await fetch(`${api.baseUrl}/webhook-endpoints/${endpoint.id}/pings`, {
        method: 'POST',
        headers: { ...key.header, 'idempotency-key': idempotencyKey },
      });
      await response.arrayBuffer();
      statuses.add(response.status);
      return response.ok;
    });
    accepted += 1;
  };
  const read = async () => {
    const response = await fetch(`${api.baseUrl}/webhook-endpoints/${endpoint.id}`, {
      headers: key.header,
    });
    await response.arrayBuffer();
    return response.status;
  };
  const load = createMixedLoad({
    db,
    connection,
    chainUrl,
    key,
    wallet,
    exportedMint: 'none',
    apiUrls: [api.baseUrl],
  });
  const running = new AbortController();
  const pinging = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!running.signal.aborted) await ping();
    }),
  );

  await Promise.all([load.run(4), receiver.received(20)]);
  await setReadOnly('on');
  expect(await read()).toBe(200);
  await eventually('the loss of the membership', async () => {
    const { count: silent } = await db`
        select from relay_members where beat_at < now() - ${MEMBERSHIP_LOST_MS} * interval '1 millisecond'`;
    return silent === 1;
  });
  await setReadOnly('off');
  await load.run(4);
  running.abort();
  await pinging;

  expect([...statuses].sort()).toEqual([202, 503]);
  await eventually(
    'every intent, event and delivery',
    async () =>
      (await allHaveStatus(
        db,
        'transaction_intents',
        load.done.intents.map(({ id }) => id),
        'confirmed',
      )) &&
      (await count(db`select count(*)::int as count from events_to_publish`)) === 0 &&
      (await missingDeliveries(db)) === 0 &&
      (await openDeliveries(db)) === 0,
  );
  const pings = await count(db`
      select count(*)::int as count from events where type = 'build.service.webhook.ping.v1'`);
  expect(pings).toBe(accepted);
  const outcomes = await deliveryOutcomes(db, receiver);
  expect(outcomes.filter(({ status, requests }) => status !== 'succeeded' || requests === 0)).toEqual([]);
  expect(await Promise.all([api.child, ...processes].map((process) => process.stop()))).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
    { code: 0, signal: null },
  ]);
});
