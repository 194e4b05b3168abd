import { afterEach, beforeAll, expect, test } from 'bun:test';
import type { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import type { Database } from '../../src/db/client.ts';
import { interceptNode, type NodeInterceptor } from '../support/chain/node-interceptor.ts';
import { pacedSlots } from '../support/chain/paced-slots.ts';
import {
  fundedWallet,
  insertAccount,
  insertIntent,
  signedTransfer,
} from '../support/intents/submitted-intent.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { createWorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const WINDOW_SLOTS = 150;
let chain: SandboxChain;
let node: NodeInterceptor;
let db: Database;
let wallet: Keypair;
let accountId: string;
let metricsPort: number;

// One worker process and one chain for all cases; only the tests move the slots.
beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  node = interceptNode(chain.rpcUrl);
  atEnd(() => node.stop());
  const stage = await createWorkerStage({ SOLANA_RPC_URL: node.rpcUrl });
  ({ db } = stage);
  wallet = await fundedWallet(chain.rpcUrl);
  accountId = await insertAccount(db);
  metricsPort = await freePort();
  await stage.startWorker({ METRICS_PORT: String(metricsPort) });
});
afterEach(() => {
  chain.setFaults({});
  node.answer = () => null;
});

interface Shape {
  lamports?: number;
  /** Slots until its window closes; those of its blockhash without it. */
  windowSlots?: number;
}

async function sign({ lamports }: Shape = {}) {
  return signedTransfer(chain.rpcUrl, wallet, lamports);
}

async function submit(shape: Shape = {}, transfer?: Awaited<ReturnType<typeof sign>>) {
  const { bytes, signature, ...signed } = transfer ?? (await sign(shape));
  const { windowSlots } = shape;
  const lastValidBlockHeight =
    windowSlots === undefined
      ? signed.lastValidBlockHeight
      : signed.lastValidBlockHeight + BigInt(windowSlots - WINDOW_SLOTS);
  const now = new Date();
  const id = await insertIntent(db, accountId, {
    transaction: bytes,
    lastValidBlockHeight,
    expiresAt: new Date(now.getTime() + 60_000),
    now,
  });
  return { id, signature };
}

async function intent(id: string) {
  const [row] = await db<{ status: string; errorCode: string | null; transactionSignature: string | null }[]>`
    select status, error_code, transaction_signature from transaction_intents where id = ${id}`;
  return row;
}

const accepted = (id: string) =>
  eventually('accepted', async () => (await intent(id))?.transactionSignature !== null);

/** Waits until the intent ends while slots pass, unless `pass` does nothing, and checks that it has one event. */
async function expectEnd(
  id: string,
  end: { status: 'confirmed' | 'failed'; errorCode: string | null; transactionSignature?: string | null },
  pass = pacedSlots(chain),
): Promise<void> {
  await eventually(`${end.status} ${end.errorCode}`, async () => {
    const status = (await intent(id))?.status;
    if (status === 'submitted') pass();
    return status !== 'submitted';
  });
  expect(await intent(id)).toMatchObject(end);
  // It may be final by now.
  const told = (await eventsOf(db)).filter(
    (event) => event.endsWith(id) && !event.startsWith('transaction_intent.finalized '),
  );
  expect(told).toEqual([`transaction_intent.${end.status} ${id}`]);
  expect((await db`select from intent_broadcasts where intent_id = ${id}`).count).toBe(0);
}

// The first one: heights that climb faster than a chain can are not believed, and the others let it climb.
test('solana_blockhash_expired: every send was swallowed until the window had closed', async () => {
  chain.setFaults({ dropSends: 'all' });
  const { id, signature } = await submit({ windowSlots: 10 });
  await accepted(id);
  chain.advanceSlots(12);
  await expectEnd(
    id,
    { status: 'failed', errorCode: 'solana_blockhash_expired', transactionSignature: signature },
    () => {},
  );
});

test.each<[string, Parameters<SandboxChain['setFaults']>[0]]>([
  ['delivered twice', { duplicateSends: true }],
  ['delayed by some slots', { delaySlots: 5 }],
  ['taken by a slow node', { latencyMs: 150 }],
  ['behind three answers of 429', { rateLimit: { requests: 3, retryAfterSeconds: 1 } }],
])('a transaction %s is confirmed once', async (_name, faults) => {
  chain.setFaults({});
  const transfer = await sign();
  chain.setFaults(faults);
  const { id, signature } = await submit({}, transfer);
  await accepted(id);
  await expectEnd(id, { status: 'confirmed', errorCode: null, transactionSignature: signature });
});

test('solana_transaction_failed: it landed, and the chain says it failed', async () => {
  const { id, signature } = await submit({ lamports: 1_000_000_000_000 });
  await accepted(id);
  await expectEnd(id, {
    status: 'failed',
    errorCode: 'solana_transaction_failed',
    transactionSignature: signature,
  });
});

test('transaction_intent_invalid_state: the stored bytes are no transaction', async () => {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 60_000);
  const transaction = new Uint8Array([1, 2, 3]);
  const id = await insertIntent(db, accountId, { transaction, lastValidBlockHeight: null, expiresAt, now });
  await expectEnd(id, { status: 'failed', errorCode: 'transaction_intent_invalid_state' });
});

test('AlreadyProcessed is a success: the transaction was there before', async () => {
  const transfer = await sign();
  const wire = Buffer.from(transfer.bytes).toString('base64');
  const config = { encoding: 'base64', skipPreflight: true };
  await fetch(chain.rpcUrl, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: [wire, config] }),
  });
  node.answer = (method) =>
    method === 'sendTransaction'
      ? {
          code: -32002,
          message: 'Transaction simulation failed: This transaction has already been processed',
          data: { accounts: null, err: 'AlreadyProcessed', logs: [], returnData: null, unitsConsumed: 0 },
        }
      : null;
  const { id, signature } = await submit({}, transfer);
  await accepted(id);
  await expectEnd(id, { status: 'confirmed', errorCode: null, transactionSignature: signature });
});

test('transaction_intent_broadcast_exhausted: no node took it before its window had closed', async () => {
  node.answer = (method) =>
    method === 'sendTransaction'
      ? { code: -32_003, message: 'Transaction signature verification failure' }
      : null;
  const { id } = await submit({ windowSlots: 3 });
  chain.advanceSlots(5);
  await expectEnd(
    id,
    { status: 'failed', errorCode: 'transaction_intent_broadcast_exhausted', transactionSignature: null },
    () => {},
  );
});

// The last one: the only node of the worker is quarantined from here on. How solana_signature_mismatch ends an intent
// takes a second node and is in lying-nodes.test.ts.
test('a node that answers with the signature of another transaction ends nothing and is named in /readyz', async () => {
  chain.setFaults({ wrongSignature: true });
  const { id } = await submit();
  await eventually('the node is quarantined', async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/readyz`);
    return (await response.text()).includes(`node ${new URL(node.rpcUrl).host} is quarantined`);
  });
  node.forget();
  await eventually('sends go on', async () => node.seen('sendTransaction') > 0);
  expect(await intent(id)).toMatchObject({ status: 'submitted', transactionSignature: null });
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/launchwire_intent_send_answers_total\{answer="other_signature"\} [1-9]/);
  // The one address is named, and nothing else is.
  const addresses = [...metrics.matchAll(/launchwire_intent_address_sends_total\{address="([^"]+)"/g)];
  expect(new Set(addresses.map(([, name]) => name))).toEqual(new Set([new URL(node.rpcUrl).host]));
  expect(metrics).toMatch(
    /launchwire_intent_address_sends_total\{address="[^"]+",answer="other_signature"\} [1-9]/,
  );
});
