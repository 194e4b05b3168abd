import { beforeAll, expect, test } from 'bun:test';
import type { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { advisoryLocks, withAdvisoryLock } from '../../src/db/advisory-lock.ts';
import type { Database } from '../../src/db/client.ts';
import {
  fundedWallet,
  insertAccount,
  insertIntent,
  signedTransfer,
} from '../support/intents/submitted-intent.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const LIFETIME_MS = 60_000;
let chain: SandboxChain;
let stage: WorkerStage;
let db: Database;
let accountId: string;
let wallet: Keypair;

// Only the tests move the slots.
beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  stage = await createWorkerStage({ SOLANA_RPC_URL: chain.rpcUrl });
  ({ db } = stage);
  wallet = await fundedWallet(chain.rpcUrl);
  accountId = await insertAccount(db);
});

async function statusOf(id: string): Promise<string> {
  const [row] = await db<{ status: string }[]>`select status from transaction_intents where id = ${id}`;
  return row?.status ?? '';
}

/** An intent that the worker has sent but the chain has not confirmed. */
async function sentIntent(): Promise<string> {
  const { bytes, lastValidBlockHeight } = await signedTransfer(chain.rpcUrl, wallet);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const id = await insertIntent(db, accountId, { transaction: bytes, lastValidBlockHeight, expiresAt, now });
  await eventually('sent', async () => {
    const [row] = await db`select transaction_signature from transaction_intents where id = ${id}`;
    return row?.transactionSignature !== null;
  });
  expect(await statusOf(id)).toBe('submitted');
  return id;
}

/** Stops the polls: the test holds their lock, so no worker can take it. */
function withoutPolls(work: () => Promise<void>): Promise<unknown> {
  return eventually('the lock of the polls', () =>
    withAdvisoryLock(
      db,
      advisoryLocks.intentConfirmer,
      async () => {
        await work();
        return true;
      },
      // A pause of this process must not cost it the lock.
      { heartbeatMs: 2_000, silenceMs: 120_000 },
    ),
  );
}

test('with a working socket an intent is confirmed, published and done without a single poll', async () => {
  const worker = await stage.startWorker();
  await withoutPolls(async () => {
    const id = await sentIntent();
    chain.advanceSlots(1);
    await eventually('confirmed', async () => (await statusOf(id)) === 'confirmed');
    await eventually('published', async () => {
      const [event] = await db`select id from events where subject = ${id} and type like '%.confirmed.v1'`;
      const waiting = await db`select from events_to_publish where event_id = ${event?.id ?? null}`;
      return event !== undefined && waiting.count === 0;
    });
    expect(await db`select from events where subject = ${id}`).toHaveLength(1);
    expect(await db`select from intent_broadcasts where intent_id = ${id}`).toHaveLength(0);
  });
  await worker.stop();
});

test.each([
  ['no socket', { SOLANA_WS_URL: 'off' }, {}],
  ['a silent socket', {}, { silentSockets: true }],
  ['a socket that nothing listens at', { SOLANA_WS_URL: 'ws://127.0.0.1:9' }, {}],
])('with %s polls confirm it', async (_what, environment, faults) => {
  chain.setFaults(faults);
  const worker = await stage.startWorker(environment);
  const id = await sentIntent();
  chain.advanceSlots(1);
  await eventually('confirmed', async () => (await statusOf(id)) === 'confirmed');
  chain.setFaults({});
  await worker.stop();
});
