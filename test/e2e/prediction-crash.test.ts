import { beforeAll, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import type { Database, Transaction } from '../../src/db/client.ts';
import { intentText } from '../../src/features/predictions/intents/signed-text.ts';
import { storePredictionIntent } from '../../src/features/predictions/intents/store-intent.ts';
import { upsertWallet } from '../../src/features/predictions/submissions/upsert-wallet.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { signText } from '../support/chain/sign-text.ts';
import { holdLocks, untilSessionsEnded } from '../support/database/held-locks.ts';
import { createRoundFixture, MINUTE_MS, type RoundFixture } from '../support/predictions/prediction-stage.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';

let chain: SandboxChain;
let stage: WorkerStage;
let db: Database;
let rounds: RoundFixture;

beforeAll(async () => {
  chain = await startChain({ slotMs: 100 });
  atEnd(() => chain.stop());
  stage = await createWorkerStage({ SOLANA_RPC_URL: chain.rpcUrl });
  ({ db } = stage);
  rounds = createRoundFixture(db, createTestClock(new Date()));
});

/** Kills a process while its statement waits for a lock that `take` takes. Waits until the session has
 * ended. */
async function killInTheMiddle(
  take: (transaction: Transaction) => Promise<unknown>,
  kill: () => Promise<unknown>,
) {
  const held = await holdLocks(db, take);
  const sessions = await held.untilBlocked('it is in the middle');
  await kill();
  await held.commit();
  await untilSessionsEnded(db, sessions);
}

async function storeIntent(roundId: string, key: TestKey, keypair: Keypair): Promise<void> {
  const terms = {
    id: Bun.randomUUIDv7(),
    accountId: key.accountId,
    roundId,
    walletAddress: keypair.publicKey.toBase58(),
    predictedPriceInSol: normaliseDecimal('1.5'),
    expiresAt: minutesAgo(-10),
  };
  const signature = signText(intentText(terms), keypair);
  const refusal = await db.begin((transaction) =>
    storePredictionIntent(transaction, rounds.clock, terms, signature),
  );
  expect(refusal).toBeNull();
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
const statusOf = async (id: string) =>
  (await db<{ status: string }[]>`select status from prediction_rounds where id = ${id}`)[0]?.status;

test('a worker killed in the middle of a lock or a settlement leaves it undone; the next ones do it once', async () => {
  const mint = await rounds.launch();
  const times = { opensAt: minutesAgo(3), locksAt: minutesAgo(2), settlesAt: minutesAgo(1) };
  const id = await rounds.plan(mint, times);
  await db`update prediction_rounds set status = 'open' where id = ${id}`;
  await rounds.trade(mint, -2, '1');
  await rounds.prove(mint, new Date());
  const prediction = await rounds.insertPrediction(id, '1.5');

  const first = stage.startWorker();
  await killInTheMiddle(
    (transaction) => transaction`select from prediction_rounds where id = ${id} for share`,
    async () => (await first).kill(),
  );
  expect(await statusOf(id)).toBe('open');

  const second = stage.startWorker();
  await killInTheMiddle(
    (transaction) => transaction`select from predictions where id = ${prediction} for update`,
    async () => (await second).kill(),
  );
  expect(await statusOf(id)).toBe('settling');
  const [open] = await db`select status, rank from predictions where id = ${prediction}`;
  expect(open).toEqual({ status: 'accepted', rank: null });

  const workers = await Promise.all([stage.startWorker(), stage.startWorker()]);
  await eventually('settled', async () => (await statusOf(id)) === 'settled');
  await Promise.all(workers.map((worker) => worker.stop()));
  const [row] = await db`select status, rank, distance_ppm from predictions where id = ${prediction}`;
  expect(row).toEqual({ status: 'settled', rank: 1, distancePpm: '500000' });
  const events = (await eventsOf(db)).filter((event) => event.endsWith(id));
  expect(events).toEqual([`prediction_round.locked ${id}`, `prediction_round.settled ${id}`]);
});

test.each([
  ['of one statement leaves all of it or nothing', false],
  ['of several statements, for a delegated intent, leaves nothing', true],
])(
  'an api killed in the middle of a submission %s; the same key succeeds elsewhere, once',
  async (_name, requiresDelegatedIntent) => {
    const mint = await rounds.launch();
    const times = { opensAt: minutesAgo(1), locksAt: minutesAgo(-10), settlesAt: minutesAgo(-20) };
    const roundId = await rounds.plan(mint, { ...times, minimumBalanceRaw: 0n, requiresDelegatedIntent });
    await db`update prediction_rounds set status = 'open' where id = ${roundId}`;
    const keypair = Keypair.generate();
    const walletAddress = keypair.publicKey.toBase58();
    const wallet = { address: walletAddress, username: 'someone', verified: true };
    await db.begin((transaction) => upsertWallet(transaction, rounds.clock, wallet));
    const key = await createTestKey(db, { walletAddress });
    if (requiresDelegatedIntent) await storeIntent(roundId, key, keypair);
    const idempotencyKey = `killed-${roundId}`;
    const environment = { SOLANA_RPC_URL: chain.rpcUrl };
    const [victim, survivor] = await Promise.all([
      startApiProcess(stage.databaseUrl, environment),
      startApiProcess(stage.databaseUrl, environment),
    ]);
    const submit = ({ baseUrl }: ApiProcess) =>
      fetch(`${baseUrl}/predictions`, {
        method: 'POST',
        headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ roundId, walletAddress, predictedPriceInSol: '1.5' }),
      });
    const traces = async () => {
      const [row] = await db<{ predictions: number; events: number; responses: number }[]>`
      select (select count(*)::int from predictions where round_id = ${roundId}) as predictions,
        (select count(*)::int from events where account_id = ${key.accountId}) as events,
        (select count(*)::int from idempotency_records where key = ${idempotencyKey}) as responses`;
      return row;
    };

    let attempt: Promise<unknown> = Promise.resolve();
    await killInTheMiddle(
      async (transaction) => {
        // Every submission needs this row. The lock makes it wait before its first write.
        await transaction`select from prediction_rounds where id = ${roundId} for update`;
        attempt = submit(victim).catch(() => 'connection lost');
      },
      () => victim.child.kill(),
    );
    expect(await attempt).toBe('connection lost');
    const nothing = { predictions: 0, events: 0, responses: 0 };
    const all = { predictions: 1, events: 1, responses: 1 };
    // The database either finishes the statement or aborts it because the client is gone. It never does half
    // of it.
    const found = await traces();
    expect(requiresDelegatedIntent ? [nothing] : [nothing, all]).toContainEqual(found ?? nothing);

    const accepted = await eventually('the key is free', async () => {
      const response = await submit(survivor);
      return response.status === 201 ? response : null;
    });
    if (requiresDelegatedIntent) expect(accepted.headers.get('idempotent-replayed')).toBeNull();
    expect(await traces()).toEqual(all);
    expect((await submit(survivor)).headers.get('idempotent-replayed')).toBe('true');
  },
);
