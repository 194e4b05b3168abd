import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { type ChainHeadSource, createChainHead, newestHead } from '../../src/chain/head.ts';
import { believedPosition } from '../../src/chain/node-trust/believed-position.ts';
import { observeNodes } from '../../src/chain/node-trust/node-metrics.ts';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import { isPastWindow } from '../../src/features/transaction-intents/blockhash-window.ts';
import { broadcastDue } from '../../src/features/transaction-intents/broadcast/broadcast-due.ts';
import { confirmSubmitted } from '../../src/features/transaction-intents/confirmation/confirm-submitted.ts';
import { expireIntents } from '../../src/features/transaction-intents/expire-intents.ts';
import { chainReadiness } from '../../src/readiness.ts';
import { createProcessMetrics } from '../../src/shared/metrics/process-metrics.ts';
import { createTestClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { unsignedTransfer } from '../support/intent-transactions.ts';
import { honest, ModelChain, type NodeBehaviour, startModelNode } from '../support/model-chain.ts';
import { insertAccount, insertIntent } from '../support/submitted-intent.ts';
import { intentContext, openDatabase, silentLog } from '../support/worker-context.ts';

const BLOCK_MS = 400;
const WINDOW_BLOCKS = 150;
/** What a single node may be ahead of the truth and still be believed: its burst. */
const AHEAD_MAX = 64n;

const clock = createTestClock();
const db = await openDatabase();
const wallet = Keypair.generate().publicKey;
const accountId = await insertAccount(db);
const { context: worker } = intentContext(db, [], clock);
let chain = new ModelChain();
const nodes = [1, 2, 3].map(() => startModelNode(() => chain));

interface Sent {
  id: string;
  signature: string;
}

/** A new chain, with nodes that this process knows nothing about yet. */
async function begin(nodeCount: number) {
  await db`truncate intent_broadcasts, transaction_intents, webhook_deliveries, events cascade`;
  chain = new ModelChain();
  for (const node of nodes) node.behaviour = honest;
  return nodes.slice(0, nodeCount).map(({ url }) => createChainRpc(url));
}

async function insert(
  status: 'prepared' | 'submitted',
  lifetimeBlocks = WINDOW_BLOCKS,
): Promise<Sent & { lastValid: bigint }> {
  const transaction = unsignedTransfer(wallet);
  // Nobody here verifies signatures.
  transaction.set(randomBytes(64), 1);
  const lastValid = chain.height + BigInt(lifetimeBlocks);
  const id = await insertIntent(db, accountId, {
    status,
    transaction,
    lastValidBlockHeight: lastValid,
    expiresAt: new Date(clock.now().getTime() + 3_600_000),
    now: clock.now(),
  });
  return { id, signature: bs58.encode(transaction.subarray(1, 65)), lastValid };
}

/** One turn of every loop of the worker that may end an intent. */
async function turn(rpcs: readonly ChainRpc[]): Promise<void> {
  const context = { ...worker, rpcs };
  await (await broadcastDue(context, 64)).sent;
  await confirmSubmitted(context);
  await expireIntents(context, believedHeight(rpcs), 64);
}

/** As the chain head has it: the highest that is believed. */
function believedHeight(rpcs: readonly ChainRpc[]): bigint | null {
  const now = clock.now();
  const heads = rpcs.flatMap((rpc) => {
    const latest = rpc.quarantine.isActive ? null : rpc.positions.latest(now);
    const believed = latest && believedPosition(rpc, latest, rpcs, now);
    return believed === null ? [] : [{ ...believed, observedAt: now }];
  });
  return newestHead(heads, now)?.blockHeight ?? null;
}

function advance(blocks: number): void {
  chain.advance(blocks);
  clock.advance(blocks * BLOCK_MS);
}

async function endOf(id: string): Promise<{ status: string; errorCode: string | null }> {
  const [row] = await db<{ status: string; errorCode: string | null }[]>`
    select status, error_code from transaction_intents where id = ${id}`;
  if (row === undefined) throw new Error('no such intent');
  return row;
}

const node = (behaviour: Partial<NodeBehaviour>): NodeBehaviour => ({ ...honest, ...behaviour });

test.each<NodeBehaviour['sends']>(['empty', 'null', 'missing', 'text'])(
  'a send that is answered without a signature (%s) is an unknown outcome: the transaction lands and is confirmed',
  async (sends) => {
    const rpcs = await begin(2);
    if (nodes[0] === undefined || nodes[1] === undefined) throw new Error('no nodes');
    nodes[0].behaviour = node({ sends });
    nodes[1].behaviour = node({ sends });
    const { id, signature, lastValid } = await insert('submitted');
    chain.add(signature, lastValid, { landsAfterBlocks: 3, fails: false });
    await turn(rpcs);
    expect(await endOf(id)).toEqual({ status: 'submitted', errorCode: null });
    expect((await db`select send_count from intent_broadcasts`)[0]).toEqual({ sendCount: 1 });
    expect(rpcs.map(({ quarantine }) => quarantine.isActive)).toEqual([false, false]);
    advance(5);
    await turn(rpcs);
    expect(await endOf(id)).toEqual({ status: 'confirmed', errorCode: null });
  },
);

test('a node that tells another signature is quarantined, decides nothing, and comes back when it answers rightly', async () => {
  const rpcs = await begin(2);
  const [liar, other] = rpcs;
  if (nodes[0] === undefined || liar === undefined || other === undefined) throw new Error('no nodes');
  nodes[0].behaviour = node({ sends: 'another', statuses: 'failed' });
  const { id, signature, lastValid } = await insert('submitted');
  chain.add(signature, lastValid, { landsAfterBlocks: 3, fails: false });
  await turn(rpcs);
  expect([liar.quarantine.isActive, other.quarantine.isActive]).toEqual([true, false]);
  expect(await endOf(id)).toEqual({ status: 'submitted', errorCode: null });
  advance(5);
  await turn(rpcs);
  expect(await endOf(id)).toEqual({ status: 'confirmed', errorCode: null });

  // Still lying after the first period: it stays. Mended, it is released by its first right answer after the next.
  const probe = async () => {
    const next = await insert('submitted');
    chain.add(next.signature, next.lastValid, { landsAfterBlocks: 1, fails: false });
    await turn(rpcs);
  };
  clock.advance(30_000);
  await probe();
  nodes[0].behaviour = honest;
  clock.advance(30_000);
  await probe();
  expect(liar.quarantine.isActive).toBe(true);
  clock.advance(30_000);
  await probe();
  expect(liar.quarantine.isActive).toBe(false);
});

test('solana_signature_mismatch ends an intent only when the others prove that it expired', async () => {
  const rpcs = await begin(2);
  if (nodes[0] === undefined || nodes[1] === undefined) throw new Error('no nodes');
  nodes[0].behaviour = node({ sends: 'another', drops: true });
  nodes[1].behaviour = node({ sends: 'refuses', drops: true });
  const { id, signature, lastValid } = await insert('submitted');
  chain.add(signature, lastValid, { landsAfterBlocks: null, fails: false });
  await turn(rpcs);
  advance(WINDOW_BLOCKS);
  await turn(rpcs);
  expect(await endOf(id)).toEqual({ status: 'submitted', errorCode: null });
  advance(1);
  await turn(rpcs);
  expect(await endOf(id)).toEqual({ status: 'failed', errorCode: 'solana_signature_mismatch' });
});

test.each([10_000n, 10n ** 12n, 2n ** 63n, 2n ** 80n])(
  'a node that tells a height %p too high expires nothing that is prepared or submitted, from its first word on',
  async (heightLie) => {
    const rpcs = await begin(2);
    if (nodes[0] === undefined) throw new Error('no node');
    nodes[0].behaviour = node({ heightLie, statuses: 'none' });
    const prepared = await insert('prepared');
    const { id, signature, lastValid } = await insert('submitted');
    chain.add(signature, lastValid, { landsAfterBlocks: 100, fails: false });
    for (let turns = 0; turns < 4; turns += 1) {
      await turn(rpcs);
      expect((await endOf(prepared.id)).status).toBe('prepared');
      expect((await endOf(id)).status).toBe('submitted');
      advance(20);
    }
    advance(WINDOW_BLOCKS);
    await turn(rpcs);
    expect((await endOf(prepared.id)).status).toBe('expired');
    expect((await endOf(id)).status).toBe('confirmed');
  },
);

test('the only node, believed from its first word on, cannot expire what its height does not fit', async () => {
  const rpcs = await begin(1);
  if (nodes[0] === undefined) throw new Error('no node');
  nodes[0].behaviour = node({ heightLie: 1_000_000n, statuses: 'none' });
  const prepared = await insert('prepared');
  const submitted = await insert('submitted');
  await turn(rpcs);
  expect((await endOf(prepared.id)).status).toBe('prepared');
  expect((await endOf(submitted.id)).status).toBe('submitted');
});

test('a second node that has been gone for ten minutes is not waited for, and not sooner', async () => {
  const rpcs = await begin(2);
  if (nodes[1] === undefined) throw new Error('no node');
  const { id, signature, lastValid } = await insert('submitted');
  chain.add(signature, lastValid, { landsAfterBlocks: null, fails: false });
  await turn(rpcs);
  nodes[1].behaviour = node({ reach: 'down' });
  advance(WINDOW_BLOCKS + 10);
  await turn(rpcs);
  expect((await endOf(id)).status).toBe('submitted');
  advance(1_490);
  await turn(rpcs);
  expect((await endOf(id)).status).toBe('submitted');
  advance(10);
  await turn(rpcs);
  expect(await endOf(id)).toEqual({ status: 'failed', errorCode: 'solana_blockhash_expired' });
});

/** The chain head as a process keeps it, until the test is over. */
async function withHead<Value>(
  rpcs: readonly ChainRpc[],
  look: (head: ChainHeadSource) => Promise<Value>,
): Promise<Value> {
  const head = createChainHead(rpcs, clock, silentLog);
  const stop = new AbortController();
  const running = head.run(stop.signal);
  try {
    return await look(head);
  } finally {
    stop.abort();
    await running;
  }
}

test('the chain head stays with the node that is borne out: nothing is refused as expired, and readiness names the other', async () => {
  const rpcs = await begin(2);
  if (nodes[0] === undefined) throw new Error('no node');
  nodes[0].behaviour = node({ heightLie: 10n ** 9n });
  await withHead(rpcs, async (head) => {
    await eventually(
      'both have answered',
      async () => rpcs[0]?.positions.isDoubted && head.current() !== null,
    );
    expect(head.current()?.blockHeight).toBe(chain.height);
    const window = { lastValidBlockHeight: chain.height, createdAt: clock.now() };
    expect(isPastWindow(window, { chainHead: head, clock })).toBe(false);
    const { ready, detail } = await chainReadiness({ chainHead: head, rpcs, clock }, 'stale').check();
    expect({ ready, detail }).toEqual({
      ready: true,
      detail: `the height of node ${rpcs[0]?.name} is not believed`,
    });
    const metrics = createProcessMetrics();
    observeNodes(metrics, rpcs);
    const exposition = await metrics.read();
    expect(exposition).toMatch(
      new RegExp(`launchwire_chain_positions_ignored_total{node="${rpcs[0]?.name}"} [1-9]`),
    );
    expect(exposition).toContain(`launchwire_chain_node_quarantined{node="${rpcs[1]?.name}"} 0`);
  });
});

test('the first word of an only node is believed, and refuses no submission that it does not fit', async () => {
  const rpcs = await begin(1);
  if (nodes[0] === undefined) throw new Error('no node');
  nodes[0].behaviour = node({ heightLie: 10n ** 9n });
  await withHead(rpcs, async (head) => {
    await eventually('it has answered', async () => head.current() !== null);
    const window = { lastValidBlockHeight: chain.height, createdAt: clock.now() };
    expect(isPastWindow(window, { chainHead: head, clock })).toBe(false);
  });
});

test('a quarantined node is asked again without any new submission, and released when it answers rightly', async () => {
  const rpcs = await begin(1);
  const [liar] = rpcs;
  if (nodes[0] === undefined || liar === undefined) throw new Error('no node');
  nodes[0].behaviour = node({ sends: 'another' });
  const { signature, lastValid } = await insert('submitted');
  chain.add(signature, lastValid, { landsAfterBlocks: 3, fails: false });
  await turn(rpcs);
  nodes[0].behaviour = honest;
  await withHead(rpcs, async (head) => {
    const { check } = chainReadiness({ chainHead: head, rpcs, clock }, 'stale');
    expect(await check()).toEqual({ ready: false, detail: `stale; node ${liar.name} is quarantined` });
    clock.advance(30_000);
    await eventually('the node is released', async () => !liar.quarantine.isActive);
    await eventually('the head is back', async () => (await check()).ready);
  });
});

const sends = fc.constantFrom<NodeBehaviour['sends']>('right', 'empty', 'null', 'missing', 'text', 'refuses');
const reach = fc.constantFrom<NodeBehaviour['reach']>('up', 'up', 'up', 'breaks', 'down');
/** Says the truth as far as it goes. */
const faulty = fc.record({
  reach,
  sends,
  drops: fc.boolean(),
  lagBlocks: fc.constantFrom(0, 0, 3, 40),
  heightLie: fc.constant(0n),
  statuses: fc.constantFrom<NodeBehaviour['statuses']>('true', 'true', 'fork'),
});
const lying = fc.record({
  reach,
  sends: fc.oneof(sends, fc.constant<NodeBehaviour['sends']>('another')),
  drops: fc.boolean(),
  lagBlocks: fc.constantFrom(0, 40),
  heightLie: fc.constantFrom(0n, 30n, 1_000n, 10n ** 9n, 2n ** 70n),
  statuses: fc.constantFrom<NodeBehaviour['statuses']>('true', 'none', 'failed', 'fork'),
});
const step = fc.record({
  blocks: fc.integer({ min: 1, max: 60 }),
  first: faulty,
  second: faulty,
  liar: lying,
});
const fate = fc.record({
  landsAfterBlocks: fc.option(fc.integer({ min: 1, max: 140 }), { freq: 3 }),
  fails: fc.boolean(),
});

test('no intent ends failed or expired whose transaction is on chain or can still get there, whatever one of the nodes says', async () => {
  const ends = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<1 | 2 | 3>(1, 2, 2, 3),
      fc.array(fate, { minLength: 2, maxLength: 4 }),
      fc.array(step, { minLength: 3, maxLength: 10 }),
      async (nodeCount, fates, steps) => {
        const rpcs = await begin(nodeCount);
        const prepared = await insert('prepared');
        const sent = [];
        for (const facts of fates) {
          const intent = await insert('submitted');
          chain.add(intent.signature, intent.lastValid, facts);
          sent.push(intent);
        }
        for (const { blocks, ...behaviours } of steps) {
          // Of several nodes the last one lies; an only one does not.
          for (const [at, one] of nodes.entries())
            one.behaviour =
              nodeCount > 1 && at === nodeCount - 1
                ? behaviours.liar
                : at === 0
                  ? behaviours.first
                  : behaviours.second;
          await turn(rpcs);
          for (const intent of sent) expectTrue(await endOf(intent.id), intent.signature);
          const { status } = await endOf(prepared.id);
          if (status === 'expired') expect(chain.height + AHEAD_MAX).toBeGreaterThan(prepared.lastValid);
          advance(blocks);
        }
        await settle(rpcs, sent);
        for (const intent of sent) {
          const end = await endOf(intent.id);
          expectTrue(end, intent.signature);
          expect(end.status).toBe(chain.truthOf(intent.signature) === 'succeeded' ? 'confirmed' : 'failed');
          const code = end.errorCode ?? end.status;
          ends.set(code, (ends.get(code) ?? 0) + 1);
        }
      },
    ),
    { numRuns: 40 },
  );
  // The runs reach every end there is.
  expect([...ends.keys()]).toEqual(
    expect.arrayContaining(['confirmed', 'solana_transaction_failed', 'solana_blockhash_expired']),
  );
});

function expectTrue(
  { status, errorCode }: { status: string; errorCode: string | null },
  signature: string,
): void {
  const truth = chain.truthOf(signature);
  if (status === 'confirmed') expect(truth).toBe('succeeded');
  if (status === 'failed')
    expect({ errorCode, truth }).toEqual({ errorCode, truth: expect.stringMatching(/failed|absent/) });
}

/** Every node honest again, and time for quarantines to end: nothing waits for ever. */
async function settle(rpcs: readonly ChainRpc[], sent: readonly Sent[]): Promise<void> {
  for (const one of nodes) one.behaviour = honest;
  for (let turns = 0; turns < 60; turns += 1) {
    advance(40);
    await turn(rpcs);
    const open = await db`
      select from transaction_intents where status = 'submitted' and id = any(${sent.map(({ id }) => id)}::uuid[])`;
    if (open.count === 0) return;
  }
}
