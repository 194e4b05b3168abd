import { beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { type RunningChild, startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestDatabase } from '../support/database/database.ts';
import {
  fundedWallet,
  insertAccount,
  insertIntent,
  signedTransfer,
} from '../support/intents/submitted-intent.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats, type TestNats } from '../support/servers/nats.ts';

const WORKER = join(import.meta.dir, '..', '..', 'src', 'worker.ts');
let chain: SandboxChain;
let nats: TestNats;
let databaseUrl: string;
let db: Database;
let wallet: Keypair;
let accountId: string;

beforeAll(async () => {
  chain = await startChain({ slotMs: 100 });
  atEnd(() => chain.stop());
  nats = await createTestNats();
  ({ url: databaseUrl } = await createTestDatabase());
  db = connectDatabase(databaseUrl, { applicationName: 'test', connections: 2 });
  atEnd(() => db.end({ timeout: 1 }));
  wallet = await fundedWallet(chain.rpcUrl);
  accountId = await insertAccount(db);
});

async function startWorker(ready: RegExp, natsUrl = nats.url): Promise<RunningChild> {
  const worker = await startChild({
    name: 'worker',
    command: process.execPath,
    args: [WORKER],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      SOLANA_RPC_URL: chain.rpcUrl,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      LOG_LEVEL: 'debug',
    },
    ready,
  });
  atEnd(async () => void (await worker.kill()));
  return worker;
}

async function submitIntent(): Promise<{ id: string; signature: string }> {
  const { bytes, lastValidBlockHeight, signature } = await signedTransfer(chain.rpcUrl, wallet);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 60_000);
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
  const killed = await startWorker(/broadcast\.not_accepted/);
  await killed.kill();
  expect(await intent(id)).toEqual({ status: 'submitted', transactionSignature: null, version: 2 });

  chain.setFaults({});
  const workers = await Promise.all([startWorker(/worker\.started/), startWorker(/worker\.started/)]);
  await eventually('confirmed', async () => (await intent(id))?.status === 'confirmed');
  expect(await intent(id)).toEqual({ status: 'confirmed', transactionSignature: signature, version: 3 });
  expect(await eventsOf(db)).toEqual([`transaction_intent.confirmed ${id}`]);
  const published = async () => (await db`select 1 from events where published_at is null`).length === 0;
  await eventually('published', published);

  const exits = await Promise.all(workers.map((worker) => worker.stop()));
  expect(exits).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
  ]);
});

test('a worker that starts before the broker says so, waits, and works when it is there', async () => {
  const worker = await startWorker(/dependency\.unreachable/, `nats://127.0.0.1:${await freePort()}`);
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
