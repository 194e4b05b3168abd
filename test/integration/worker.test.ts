import { beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import type { Database } from '../../src/db/client.ts';
import {
  fundedWallet,
  insertAccount,
  insertIntent,
  signedTransfer,
} from '../support/intents/submitted-intent.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const WORKER = join(import.meta.dir, '..', '..', 'src', 'worker', 'main.ts');
let chain: SandboxChain;
let stage: WorkerStage;
let db: Database;
let wallet: Keypair;
let accountId: string;

beforeAll(async () => {
  // Blockhashes last for minutes: on a busy machine a worker needs longer to start than 150 such slots.
  chain = await startChain({ slotMs: 100, blockhashWindow: 3000 });
  atEnd(() => chain.stop());
  stage = await createWorkerStage({ SOLANA_RPC_URL: chain.rpcUrl });
  ({ db } = stage);
  wallet = await fundedWallet(chain.rpcUrl);
  accountId = await insertAccount(db);
});

async function submitIntent(): Promise<{ id: string; signature: string }> {
  const { bytes, lastValidBlockHeight, signature } = await signedTransfer(chain.rpcUrl, wallet);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 600_000);
  const id = await insertIntent(db, accountId, { transaction: bytes, lastValidBlockHeight, expiresAt, now });
  return { id, signature };
}

async function intent(id: string) {
  const [row] = await db`
    select status, transaction_signature, version from transaction_intents where id = ${id}`;
  return row;
}

test('killed between submission and broadcast, the next workers broadcast and confirm, once', async () => {
  const { id, signature } = await submitIntent();
  chain.setFaults({ down: 'unavailable' });
  const killed = await stage.startWorker({}, /broadcast\.not_accepted/);
  await killed.kill();
  expect(await intent(id)).toEqual({ status: 'submitted', transactionSignature: null, version: 2 });

  chain.setFaults({});
  const workers = await Promise.all([stage.startWorker(), stage.startWorker()]);
  await eventually('confirmed', async () => (await intent(id))?.status === 'confirmed');
  // What it paid and received follows, with another version.
  expect(await intent(id)).toMatchObject({ status: 'confirmed', transactionSignature: signature });
  // It may be final by now.
  const others = (await eventsOf(db)).filter((event) => event !== `transaction_intent.finalized ${id}`);
  expect(others).toEqual([`transaction_intent.confirmed ${id}`]);
  const published = async () => (await db`select from events_to_publish`).count === 0;
  await eventually('published', published);

  const exits = await Promise.all(workers.map((worker) => worker.stop()));
  expect(exits).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
  ]);
});

test('a worker that starts before the broker logs it, waits, and works when the broker is there', async () => {
  const worker = await stage.startWorker(
    { NATS_URL: `nats://127.0.0.1:${await freePort()}` },
    /dependency\.unreachable/,
  );
  expect(worker.lastLines().join('\n')).toContain('"dependency":"nats"');
  expect(await worker.stop()).toEqual({ code: 0, signal: null });
});

test('a worker with a wrong environment names every mistake and ends', async () => {
  const worker = Bun.spawn([process.execPath, WORKER], { env: { NATS_URL: 'x' }, stderr: 'pipe' });
  expect(await worker.exited).toBe(1);
  const output = await new Response(worker.stderr).text();
  for (const name of ['DATABASE_URL', 'NATS_URL', 'SOLANA_RPC_URL', 'SECRET_KEY'])
    expect(output).toContain(name);
});
