import { beforeAll, expect, test } from 'bun:test';
import { connect } from '@nats-io/transport-node';
import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import type { Database } from '../../src/db/client.ts';
import { openPolicy } from '../../src/intents/prepare/preparation.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
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
const WINDOW_SLOTS = 150;
let chain: SandboxChain;
let stage: WorkerStage;
let db: Database;
let accountId: string;
let wallet: Keypair;

// One worker process for all cases; only the tests move the slots.
beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  stage = await createWorkerStage({ SOLANA_RPC_URL: chain.rpcUrl });
  ({ db } = stage);
  wallet = await fundedWallet(chain.rpcUrl);
  accountId = await insertAccount(db);
  await stage.startWorker();
});

async function intent(id: string) {
  const [row] = await db<{ status: string; version: number; errorCode: string | null }[]>`
    select status, version, error_code from transaction_intents where id = ${id}`;
  return row;
}

/** Waits until the worker has published the event, and checks that it is the only one. */
async function expectPublishedOnce(id: string, name: string): Promise<void> {
  const told = await eventually(`${name} is published`, async () => {
    const rows = await db<{ type: string; isPublished: boolean }[]>`
      select type, not exists (select from events_to_publish where event_id = id) as is_published
      from events where subject = ${id}`;
    return rows.some(({ isPublished }) => isPublished) && rows;
  });
  expect(told.map(({ type }) => type)).toEqual([`build.service.transaction_intent.${name}.v1`]);
}

test.each([
  ['the height of the chain', { timed: false, lifetimeMs: LIFETIME_MS }],
  ['its time', { timed: true, lifetimeMs: 200 }],
])(
  'the worker expires what was never submitted by %s, with one event',
  async (_name, { timed, lifetimeMs }) => {
    const { bytes, lastValidBlockHeight } = await signedTransfer(chain.rpcUrl, wallet);
    const now = new Date();
    const id = await insertIntent(db, accountId, {
      status: 'prepared',
      transaction: bytes,
      // The window closes soon, because the worker ignores heights that rise faster than a chain can.
      lastValidBlockHeight: timed ? null : lastValidBlockHeight - BigInt(WINDOW_SLOTS - 10),
      expiresAt: new Date(now.getTime() + lifetimeMs),
      now,
    });
    chain.advanceSlots(12);
    await eventually('expired', async () => (await intent(id))?.status === 'expired');
    expect(await intent(id)).toEqual({ status: 'expired', version: 2, errorCode: null });
    await expectPublishedOnce(id, 'expired');
  },
);

test('the worker checks the policy again and never sends a transaction that breaks it', async () => {
  const { bytes, signature, lastValidBlockHeight } = await signedTransfer(chain.rpcUrl, wallet);
  const now = new Date();
  const id = await insertIntent(db, accountId, {
    transaction: bytes,
    lastValidBlockHeight,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
    now,
    policy: { ...openPolicy, allowedPrograms: ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'] },
  });
  await eventually('failed', async () => (await intent(id))?.status === 'failed');
  expect(await intent(id)).toMatchObject({ errorCode: 'transaction_intent_invalid_state', version: 3 });
  expect(chain.ledger.history.statusOf(signature)).toBeNull();
  await expectPublishedOnce(id, 'failed');
});

test('a submission that the api cannot send to any node is announced to the workers', async () => {
  const owner = Keypair.generate();
  const key = await createTestKey(db, { walletAddress: owner.publicKey.toBase58() });
  const connection = await connect({ servers: stage.nats.url });
  atEnd(() => connection.close());
  const announced: string[] = [];
  connection.subscribe(hints.broadcast, {
    callback: () => void intent(prepared.id).then((row) => announced.push(row?.status ?? '')),
  });
  await connection.flush();
  const { baseUrl } = await startApiProcess(stage.databaseUrl, { NATS_URL: stage.nats.url });
  const readiness = new URL('/readyz', baseUrl);
  await eventually('the api is at the broker', async () =>
    /"nats"[^}]*"ready":true/.test(await (await fetch(readiness)).text()),
  );
  const prepared = await createPreparedIntent(db, { accountId: key.accountId, wallet: owner });
  const signed = signWith(prepared.unsigned, owner);
  const response = await submitIntent(baseUrl, prepared.id, { key, signed });
  expect(response.status).toBe(202);
  await eventually('the hint', async () => announced.length > 0);
  expect(announced).toEqual(['submitted']);
});
