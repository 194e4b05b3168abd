import { beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type {
  IntentSends,
  LandingReport,
} from '../../src/features/transaction-intents/landing-report/schema.ts';
import { checkPreparation } from '../../src/intents/prepare/check-preparation.ts';
import { openPolicy } from '../../src/intents/prepare/preparation.ts';
import { prepareIntent } from '../../src/intents/prepare/prepare-intent.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { forwardRpc } from '../support/chain/forward-rpc.ts';
import { pacedSlots } from '../support/chain/paced-slots.ts';
import { holdLocks, untilSessionsEnded } from '../support/database/held-locks.ts';
import { preparing } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { fundedWallet, signedTransfer } from '../support/intents/submitted-intent.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

interface HeldNode {
  url: string;
  isAnswering: boolean;
  /** base64 of the transactions, in the order of their arrival. */
  sent: string[];
}

let chain: SandboxChain;
let stage: WorkerStage;
let wallet: Keypair;
let key: TestKey;
/** Only reads: it never sends. */
let reader: ApiProcess;
/** The node of every process. Sends reach the chain at once; the response may never come. */
let node: HeldNode;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  node = openNode();
  stage = await createWorkerStage({ SOLANA_RPC_URL: `node=${node.url}` });
  wallet = await fundedWallet(chain.rpcUrl);
  key = await createTestKey(stage.db, { walletAddress: wallet.publicKey.toBase58() });
  reader = await startApi();
});

beforeEach(() => {
  Object.assign(node, { isAnswering: true, sent: [] });
  chain.advanceSlots(2);
});

const startApi = () => startApiProcess(stage.databaseUrl, { ...stage.environment });

function openNode(): HeldNode {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== 'POST') return new Response('no sockets here', { status: 405 });
      const body = await request.text();
      const { method, params } = JSON.parse(body) as { method: string; params?: [string] };
      if (method !== 'sendTransaction') return forwardRpc(chain.rpcUrl, request, body);
      const answer = await forwardRpc(chain.rpcUrl, new Request(request.url), body);
      opened.sent.push(params?.[0] ?? '');
      return opened.isAnswering ? answer : new Promise<Response>(() => {});
    },
  });
  atEnd(() => server.stop(true));
  const opened: HeldNode = { url: `http://127.0.0.1:${server.port}`, isAnswering: true, sent: [] };
  return opened;
}

async function prepared(): Promise<{ id: string; bytes: Uint8Array }> {
  const { bytes, lastValidBlockHeight } = await signedTransfer(chain.rpcUrl, wallet);
  const preparation = {
    accountId: key.accountId,
    kind: 'token_transfer',
    expectedSigner: key.walletAddress,
    transaction: Uint8Array.from(bytes).fill(0, 1, 65),
    policy: openPolicy,
    lastValidBlockHeight,
    expiresInMs: 600_000,
  };
  const checked = await checkPreparation(preparation, createChainRpcs([chain.rpcUrl]), systemClock);
  const { id } = await stage.db.begin((sql) => prepareIntent(sql, checked, preparing));
  return { id, bytes };
}

/** Submits to a process that does not live to answer, perhaps. */
async function submitTo({ baseUrl }: ApiProcess, { id, bytes }: { id: string; bytes: Uint8Array }) {
  await submitIntent(baseUrl, id, { key, signed: bytes }).catch(() => 'no response');
}

async function read<Body>(path: string): Promise<Body> {
  return (await fetch(`${reader.baseUrl}${path}`, { headers: key.header })).json() as Promise<Body>;
}
const sendsOf = (id: string) => read<IntentSends>(`/transaction-intents/${id}/sends`);

/** The report about intents that were prepared after a moment. */
async function reportSince(from: Date): Promise<LandingReport['total']> {
  const to = new Date(Date.now() + 60_000).toISOString();
  const { total } = await read<LandingReport>(`/landing-report?from=${from.toISOString()}&to=${to}`);
  return total;
}

/** Begins the work, and returns when the process is between its send and its record. */
const places: Record<string, (begin: () => void) => Promise<{ after(): Promise<void> }>> = {
  async 'before the node has answered'(begin) {
    node.isAnswering = false;
    begin();
    await eventually('the send', async () => node.sent.length > 0);
    return { after: async () => {} };
  },
  async 'after the node has answered'(begin) {
    const records = await holdLocks(stage.db, (sql) => sql`lock table intent_sends in access exclusive mode`);
    begin();
    const sessions = await records.untilBlocked('the record waits', /insert into intent_sends/);
    return {
      async after() {
        await records.commit();
        await untilSessionsEnded(stage.db, sessions);
      },
    };
  },
};

/** A worker finishes what the killed process began. */
async function finish(id: string): Promise<void> {
  node.isAnswering = true;
  // What the killed process sent has landed some slots before the worker sends.
  chain.advanceSlots(5);
  const worker = await stage.startWorker();
  const passSlots = pacedSlots(chain);
  await eventually('the end', async () => {
    passSlots();
    const { status } = await read<{ status: string }>(`/transaction-intents/${id}`);
    return status === 'confirmed';
  });
  await worker.stop();
}

test.each(Object.keys(places))(
  'an api that is killed between a send and its record, %s, loses no transaction, and reports count no send twice',
  async (place) => {
    const from = new Date();
    const intent = await prepared();
    const victim = await startApi();
    let submitting: Promise<void> | undefined;
    const begin = () => {
      submitting = submitTo(victim, intent);
    };
    const { after } = (await places[place]?.(begin)) ?? expect.unreachable();
    await victim.child.kill();
    await submitting;
    await after();
    // A statement that had reached the database may still have recorded the send.
    const { addresses } = await sendsOf(intent.id);
    expect(addresses.length).toBeLessThanOrEqual(1);
    expect(await reportSince(from)).toMatchObject({ sent: 1, open: 1, landed: 0, slots: null });
    await finish(intent.id);
    await expectTruth(intent.id, from);
  },
);

test.each(Object.keys(places))(
  'a worker that is killed there, %s, leaves the same bytes to the next worker',
  async (place) => {
    const from = new Date();
    const intent = await prepared();
    // The api reaches no node, so the worker has the first send.
    const unreachable = await startApiProcess(stage.databaseUrl, {
      ...stage.environment,
      SOLANA_RPC_URL: 'node=http://127.0.0.1:9',
    });
    await submitTo(unreachable, intent);
    await unreachable.child.stop();
    let starting: ReturnType<WorkerStage['startWorker']> | undefined;
    const begin = () => {
      starting = stage.startWorker();
    };
    const { after } = (await places[place]?.(begin)) ?? expect.unreachable();
    await (await starting)?.kill();
    await after();
    await finish(intent.id);
    await expectTruth(intent.id, from);
  },
);

/** The node got nothing but these bytes, and the records say no more than it did. */
async function expectTruth(id: string, from: Date): Promise<void> {
  expect(new Set(node.sent).size).toBe(1);
  const { addresses } = await sendsOf(id);
  const counted = addresses.reduce((sum, { sendCount }) => sum + sendCount, 0);
  for (const { name, sendCount, takenCount } of addresses) {
    expect(name).toBe('node');
    expect(takenCount).toBeLessThanOrEqual(sendCount);
  }
  // Sends of the api that reached no node are on record as well.
  expect(counted).toBeLessThanOrEqual(node.sent.length + 1);
  const total = await reportSince(from);
  expect(total).toMatchObject({ sent: 1, landed: 1, failed: 0, expired: 0, open: 0, reverted: 0 });
  expect(total.milliseconds?.p50).toBeGreaterThanOrEqual(0);
  // Slots are counted from the first send or not at all: never from a resend after the landing.
  const [row] = await stage.db<{ slot: bigint }[]>`select slot from intent_landings where intent_id = ${id}`;
  const firstSlot = addresses[0]?.firstSlot ?? null;
  const waited = firstSlot === null ? -1 : Number((row?.slot ?? 0n) - BigInt(firstSlot));
  expect(total.slots?.p50 ?? null).toBe(waited < 0 ? null : waited);
}
