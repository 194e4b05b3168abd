import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { readReadiness } from '../support/http/readiness.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { insertIntent } from '../support/intents/submitted-intent.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { createRoundFixture } from '../support/predictions/prediction-stage.ts';
import { startRelayProcess, startWorkerProcess } from '../support/processes/service-processes.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { scrape } from '../support/telemetry/exposition.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const MINUTE_MS = 60_000;
const STEP_MS = 10 * MINUTE_MS;
/** Less than a step, and longer than a test takes on a busy machine. */
const NEAR_MS = 5 * MINUTE_MS;

let chain: SandboxChain;

beforeAll(async () => {
  chain = await startChain({ slotMs: 100 });
  atEnd(() => chain.stop());
});

const newWorld = () => createRelayWorld({ SOLANA_RPC_URL: chain.rpcUrl });
const fromNow = (durationMs: number) => new Date(Date.now() + durationMs);

async function startWorker(world: RelayWorld, machine: Readonly<Record<string, string>>) {
  const port = await freePort();
  const child = await startWorkerProcess({
    ...world.environment,
    ...machine,
    METRICS_PORT: String(port),
    PREDICTION_PROOF_WAIT_SECONDS: '60',
  });
  return { child, origin: `http://127.0.0.1:${port}` };
}

/** The status of `/readyz`, its clock check, and whether readiness requires that check. */
async function clockReadiness(origin: string) {
  const { code, dependencies } = await readReadiness(origin);
  const clock = dependencies.find(({ name }) => name === 'clock');
  return { status: code, ready: clock?.ready, required: clock?.required, detail: clock?.detail };
}

/** Prepares intents that expire after `expiresInMs`. Returns their ids. */
async function prepareIntents(world: RelayWorld, count: number, expiresInMs: number): Promise<string[]> {
  const accountId = await world.createAccount();
  const intents = Array.from({ length: count }, () =>
    insertIntent(world.sql, accountId, {
      status: 'prepared',
      transaction: Buffer.alloc(10),
      lastValidBlockHeight: null,
      expiresAt: fromNow(expiresInMs),
      now: new Date(),
    }),
  );
  return Promise.all(intents);
}

async function expiredOf(world: RelayWorld, ids: readonly string[]): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from transaction_intents where id = any(${ids as string[]}::uuid[]) and status = 'expired'`;
  return row?.count ?? 0;
}

test('a worker ten minutes ahead ends no intent before its time, reports it, and ends due intents once its clock is right', async () => {
  const world = await newWorld();
  const { sql } = world;
  const rounds = createRoundFixture(sql, createTestClock(new Date()));
  const mint = await rounds.launch();
  const [opensAt, locksAt, settlesAt] = [fromNow(-MINUTE_MS), fromNow(5 * MINUTE_MS), fromNow(6 * MINUTE_MS)];
  const roundId = await rounds.plan(mint, { opensAt, locksAt, settlesAt });
  await sql`update prediction_rounds set status = 'open' where id = ${roundId}`;
  await rounds.trade(mint, -2, '1');
  await rounds.prove(mint, fromNow(20 * MINUTE_MS));
  const open = await prepareIntents(world, 10, 5 * MINUTE_MS);
  const due = await prepareIntents(world, 1, -MINUTE_MS);

  const machine = createMachineClock(STEP_MS);
  const worker = await startWorker(world, machine.environment);
  const failures = ['intent-expirer', 'prediction-rounds', 'retention', 'partitions'];
  await eventually('the loops that end something have looked, and refuse or do it', async () => {
    const { samples } = await scrape(worker.origin);
    const haveRefused = failures.every(
      (loop) => (samples.get(`launchwire_loop_failures_total{loop="${loop}"}`) ?? 0) > 0,
    );
    return haveRefused || (await expiredOf(world, open)) > 0;
  });
  const statusOf = async () =>
    (await sql<{ status: string }[]>`select status from prediction_rounds where id = ${roundId}`)[0]?.status;
  expect([await expiredOf(world, open), await statusOf()]).toEqual([0, 'open']);
  const { samples } = await scrape(worker.origin);
  // Known to within half a round trip.
  expect(samples.get('launchwire_clock_skew_seconds')).toBeCloseTo(STEP_MS / 1_000, -1);
  expect(await clockReadiness(worker.origin)).toEqual({
    status: 503,
    ready: false,
    required: true,
    detail: 'the clocks of this machine and of Postgres differ by more than 5 s',
  });
  expect(await expiredOf(world, due)).toBe(0);

  machine.set(0, worker.child);
  await eventually('what is due is ended', async () => (await expiredOf(world, due)) === 1);
  expect([await expiredOf(world, open), await statusOf()]).toEqual([0, 'open']);
  await eventually('it is ready', async () => (await clockReadiness(worker.origin)).status === 200);
});

test('every event reaches its endpoints with the right time, for any clocks of worker and relay and any steps of them', async () => {
  const world = await newWorld();
  const receiver = await startReceiver();
  await world.createEndpoint(receiver.origin, { eventTypes: ['build.service.launch.created.v1'] });
  const [ofWorker, ofRelay] = [createMachineClock(-STEP_MS), createMachineClock(STEP_MS)];
  const [worker, relay] = await Promise.all([
    startWorker(world, ofWorker.environment),
    startRelayProcess({ ...world.environment, ...ofRelay.environment }),
  ]);
  const known = new Set<string>();
  for (const aheadMs of [-STEP_MS, STEP_MS, 0, -STEP_MS]) {
    ofWorker.set(aheadMs, worker.child);
    ofRelay.set(-aheadMs, relay);
    const mints = Array.from({ length: 15 }, newAddress);
    for (const mint of mints) {
      known.add(mint);
      const message = JSON.stringify(tokenMessage(mint, { announce: true }));
      await jetstream(world.connection).publish(ingestSubject('token'), message);
    }
    // Block times are correct. A worker with a slow clock would think they are in the future and not settle
    // rounds.
    const proof = {
      mintAddresses: mints,
      through: fromNow(-1_000).toISOString(),
      slot: String(known.size),
    };
    await jetstream(world.connection).publish(ingestSubject('source_proof'), JSON.stringify(proof));
    await receiver.received(known.size);
    await eventually('the proofs are stored', async () => {
      const [row] = await world.sql<{ count: number }[]>`select count(*)::int as count from source_proofs`;
      return row?.count === known.size;
    });
  }
  const told = receiver.requests.map(
    ({ body }) => JSON.parse(body.toString()) as { subject: string; time: string },
  );
  expect(new Set(told.map(({ subject }) => subject))).toEqual(known);
  const now = Date.now();
  for (const { time } of told) expect(Math.abs(now - Date.parse(time))).toBeLessThan(NEAR_MS);
  for (const { headers } of receiver.requests) {
    const signedAtMs = Number(headers['webhook-timestamp']) * 1_000;
    expect(Math.abs(now - signedAtMs)).toBeLessThan(NEAR_MS);
  }
  const [events] = await world.sql<{ count: number; oldest: string }[]>`
      select count(*)::int as count, min(id::text) as oldest from events where created_at > now() - ${NEAR_MS} * interval '1 millisecond'`;
  expect(events?.count).toBe(known.size);
  const idMs = Number.parseInt((events?.oldest ?? '').replaceAll('-', '').slice(0, 12), 16);
  expect(Math.abs(now - idMs)).toBeLessThan(NEAR_MS);
});

test.each([STEP_MS, -STEP_MS])(
  'an api %d ms ahead accepts open intents, refuses expired ones, and serves on',
  async (aheadMs) => {
    const world = await newWorld();
    const { DATABASE_URL = '', ...environment } = world.environment;
    const machine = createMachineClock(aheadMs);
    const wallet = Keypair.generate();
    const key = await createTestKey(world.sql, {
      walletAddress: wallet.publicKey.toBase58(),
      expiresAt: fromNow(5 * MINUTE_MS),
    });
    const over = await createTestKey(world.sql, { expiresAt: fromNow(-MINUTE_MS) });
    const { baseUrl } = await startApiProcess(DATABASE_URL, { ...environment, ...machine.environment });
    const submit = async (expiresInMs: number) => {
      const intent = await createPreparedIntent(world.sql, { accountId: key.accountId, wallet });
      await world.sql`
        update transaction_intents set expires_at = ${fromNow(expiresInMs)} where id = ${intent.id}`;
      const response = await submitIntent(baseUrl, intent.id, {
        key,
        signed: signWith(intent.unsigned, wallet),
      });
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    expect(await submit(5 * MINUTE_MS)).toEqual([202, undefined]);
    expect(await submit(-MINUTE_MS)).toEqual([409, 'transaction_intent_expired']);
    const read = (headers: Record<string, string>) => fetch(`${baseUrl}/transaction-intents`, { headers });
    expect((await read(key.header)).status).toBe(200);
    expect((await read(over.header)).status).toBe(401);
    expect(await clockReadiness(new URL(baseUrl).origin)).toEqual({
      status: 200,
      ready: false,
      required: false,
      detail: 'the clocks of this machine and of Postgres differ by more than 5 s',
    });
  },
);

/** The clock of a simulated machine on which processes of the service run. A test may have several. */
interface MachineClock {
  /** For processes that run on this machine. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the clock this far ahead of the real one, also for these running processes. */
  set(aheadMs: number, ...running: readonly { pid: number }[]): void;
}

function createMachineClock(aheadMs = 0): MachineClock {
  const file = join(createTempDir('machine-clock'), 'ahead-ms');
  writeFileSync(file, String(aheadMs));
  const preload = new URL('../support/processes/shifted-date.ts', import.meta.url).pathname;
  return {
    environment: { BUN_OPTIONS: `--preload=${preload}`, TEST_MACHINE_CLOCK: file },
    set(nextMs, ...running) {
      writeFileSync(file, String(nextMs));
      for (const { pid } of running) process.kill(pid, 'SIGUSR2');
    },
  };
}
