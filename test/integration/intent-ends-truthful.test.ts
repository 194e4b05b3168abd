import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { readPosition } from '../../src/chain/node-trust/believed-position.ts';
import { paceOf } from '../../src/chain/pace/measured-pace.ts';
import type { ChainRpc } from '../../src/chain/rpc.ts';
import { createBlockhashSource } from '../../src/chain/transactions/latest-blockhash.ts';
import { checkPreparation } from '../../src/intents/prepare/check-preparation.ts';
import { openPolicy } from '../../src/intents/prepare/preparation.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { type Fate, honest, type NodeBehaviour, WINDOW_BLOCKS } from '../support/chain/model-chain.ts';
import { unsignedTransfer } from '../support/intents/intent-transactions.ts';
import { NodeTrustStage, type StoredIntent, UNTIMED_EXPIRY_MS } from '../support/intents/node-trust-stage.ts';
import { insertIntent } from '../support/intents/submitted-intent.ts';

/** The lead over the truth with which a single node is still believed: its burst. */
const AHEAD_MAX = 64n;
const stage = await NodeTrustStage.create();

const sends = fc.constantFrom<NodeBehaviour['sends']>('right', 'empty', 'null', 'missing', 'text', 'refuses');
const reach = fc.constantFrom<NodeBehaviour['reach']>('up', 'up', 'up', 'breaks', 'down');
/** Reports the truth. */
const faulty = fc.record({
  reach,
  sends,
  drops: fc.boolean(),
  lagBlocks: fc.constantFrom(0, 0, 3, 40),
  heightLie: fc.constant(0n),
  windowLie: fc.constant(0n),
  statuses: fc.constantFrom<NodeBehaviour['statuses']>('true', 'true', 'fork'),
  lifetimes: fc.constant<NodeBehaviour['lifetimes']>('true'),
});
const lying = fc.record({
  reach,
  sends: fc.oneof(sends, fc.constant<NodeBehaviour['sends']>('another')),
  drops: fc.boolean(),
  lagBlocks: fc.constantFrom(0, 40),
  heightLie: fc.constantFrom(0n, 0n, -900n, -300n, -40n, 30n, 1_000n, 10n ** 9n, 2n ** 70n),
  windowLie: fc.constantFrom(0n, -1_000n, -149n, -130n, -20n, 100n, 10n ** 9n),
  statuses: fc.constantFrom<NodeBehaviour['statuses']>('true', 'none', 'failed', 'fork'),
  lifetimes: fc.constantFrom<NodeBehaviour['lifetimes']>('true', 'over', 'open'),
});
const step = fc.record({
  blocks: fc.integer({ min: 1, max: 60 }),
  first: faulty,
  second: faulty,
  liar: lying,
});
const origin = fc.oneof(
  fc.constant<HeightOrigin>({ from: 'source' }),
  fc.constant<HeightOrigin>({ from: 'nodes' }),
  fc.record({
    from: fc.constant('caller' as const),
    wrongBy: fc.constantFrom(-1_000n, -140n, -20n, 0n, 1_000n),
  }),
);
/** An intent that is prepared and submitted in the course of it, while a node may lie about where the chain is. */
const latecomer = fc.record({
  atStep: fc.integer({ min: 0, max: 3 }),
  origin,
  landsAfterBlocks: fc.option(fc.integer({ min: 1, max: 140 }), { freq: 3 }),
  fails: fc.boolean(),
});
const fate = fc.record({
  landsAfterBlocks: fc.option(fc.integer({ min: 1, max: 140 }), { freq: 3 }),
  fails: fc.boolean(),
  lifetime: fc.oneof(
    fc.constant({ kind: 'height' as const, blocks: WINDOW_BLOCKS }),
    fc.constant({ kind: 'blockhash' as const, blocks: WINDOW_BLOCKS }),
    fc.record({ kind: fc.constant('nonce' as const), blocks: fc.integer({ min: 1, max: 600 }) }),
  ),
});

test('no intent ends failed or expired whose transaction is on chain or can still get there, whatever one of the nodes says', async () => {
  const ends = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<1 | 2 | 3>(1, 2, 2, 3),
      fc.integer({ min: 0, max: 2 }),
      fc.array(fate, { minLength: 1, maxLength: 3 }),
      fc.array(latecomer, { minLength: 1, maxLength: 3 }),
      fc.array(step, { minLength: 3, maxLength: 10 }),
      async (nodeCount, liar, fates, latecomers, steps) => {
        const rpcs = await stage.begin(nodeCount);
        const prepared = await stage.insert('prepared');
        const sent = [];
        for (const { lifetime, ...facts } of fates) {
          if (lifetime.kind !== 'height') {
            sent.push(await stage.insertUntimed(lifetime.kind, lifetime.blocks, facts));
            continue;
          }
          const intent = await stage.insert('submitted');
          stage.chain.add(intent.signature, intent.lastValid, facts);
          sent.push(intent);
        }
        for (const [number, { blocks, ...behaviours }] of steps.entries()) {
          const truthful = [behaviours.first, behaviours.second];
          // One of several nodes lies; an only one does not.
          for (const [at, one] of stage.nodes.slice(0, nodeCount).entries())
            one.behaviour =
              nodeCount > 1 && at === liar % nodeCount
                ? behaviours.liar
                : (truthful.shift() ?? behaviours.second);
          // Before the turn: at the beginning the process knows nothing of its nodes.
          sent.push(...(await prepareAt(number, rpcs, latecomers)));
          await stage.turn(rpcs);
          for (const intent of sent) expectTrue(await stage.endOf(intent.id), intent.signature);
          const { status } = await stage.endOf(prepared.id);
          if (status === 'expired')
            expect(stage.chain.height + AHEAD_MAX).toBeGreaterThan(prepared.lastValid);
          stage.advance(blocks);
        }
        await settle(rpcs, sent);
        for (const intent of sent) {
          const end = await stage.endOf(intent.id);
          expectTrue(end, intent.signature);
          expect(end.status).toBe(
            stage.chain.truthOf(intent.signature) === 'succeeded' ? 'confirmed' : 'failed',
          );
          const code = end.errorCode ?? end.status;
          ends.set(code, (ends.get(code) ?? 0) + 1);
        }
      },
    ),
    { numRuns: 40 },
  );
  // The runs reach every end there is.
  expect([...ends.keys()]).toEqual(
    expect.arrayContaining([
      'confirmed',
      'solana_transaction_failed',
      'solana_blockhash_expired',
      'transaction_intent_expired',
    ]),
  );
});

async function prepareAt(
  step: number,
  rpcs: readonly ChainRpc[],
  latecomers: readonly (Fate & { atStep: number; origin: HeightOrigin })[],
): Promise<StoredIntent[]> {
  const prepared: StoredIntent[] = [];
  for (const { atStep, origin: from, ...facts } of latecomers) {
    const intent = atStep === step ? await prepareAmongNodes(stage, rpcs, from, facts) : null;
    if (intent !== null) prepared.push(intent);
  }
  return prepared;
}

function expectTrue(
  { status, errorCode }: { status: string; errorCode: string | null },
  signature: string,
): void {
  const truth = stage.chain.truthOf(signature);
  if (status === 'confirmed') expect(truth).toBe('succeeded');
  if (status === 'failed')
    expect({ errorCode, truth }).toEqual({ errorCode, truth: expect.stringMatching(/failed|absent/) });
}

/** Every node honest again, and time for quarantines to end: nothing waits for ever. */
async function settle(rpcs: readonly ChainRpc[], sent: readonly StoredIntent[]): Promise<void> {
  for (const one of stage.nodes) one.behaviour = honest;
  for (let turns = 0; turns < 60; turns += 1) {
    stage.advance(40);
    await stage.turn(rpcs);
    const open = await stage.db`
      select from transaction_intents where status = 'submitted' and id = any(${sent.map(({ id }) => id)}::uuid[])`;
    if (open.count === 0) return;
  }
}

const TIMED_EXPIRY_MS = 3_600_000;

/** The origin of an intent's height: a swap's blockhash source, a caller with an error of `wrongBy` blocks,
 * or nodes. */
type HeightOrigin = { from: 'source' } | { from: 'caller'; wrongBy: bigint } | { from: 'nodes' };

/** A submitted intent whose height comes from the nodes, as in production; null when the preparation
 * failed. */
async function prepareAmongNodes(
  stage: NodeTrustStage,
  rpcs: readonly ChainRpc[],
  origin: HeightOrigin,
  fate: Fate,
): Promise<StoredIntent | null> {
  const prepared =
    origin.from === 'source'
      ? await fromSource(stage, rpcs)
      : await fromPreparation(stage, rpcs, origin.from === 'caller' ? origin.wrongBy : null);
  if (prepared === null) return null;
  const { blockhash, lastValidBlockHeight, transaction } = prepared;
  // These tests verify no signatures.
  transaction.set(randomBytes(64), 1);
  const signature = encodeBase58(transaction.subarray(1, 65));
  const lastValid = stage.chain.lastValidOf(blockhash);
  stage.chain.add(signature, lastValid, fate);
  const now = stage.clock.now();
  // The worker gives up an unsent intent at its expiry while no node responds. These tests need the window to
  // decide.
  const lifeMs = lastValidBlockHeight === null ? UNTIMED_EXPIRY_MS : TIMED_EXPIRY_MS;
  const expiresAt = new Date(now.getTime() + lifeMs);
  const id = await insertIntent(stage.db, stage.accountId, {
    transaction,
    lastValidBlockHeight,
    expiresAt,
    now,
  });
  return { id, signature, lastValid };
}

async function fromSource(stage: NodeTrustStage, rpcs: readonly ChainRpc[]) {
  // The chain head's loop does the same.
  await Promise.all(rpcs.map((rpc) => readPosition(rpc, 1_000, stage.clock)));
  const chainHead = {
    current: () => stage.believedHead(rpcs),
    identity: () => ({ genesisHash: 'of a public cluster', cluster: 'mainnet-beta' as const }),
    pace: () => paceOf(rpcs),
    run: async () => {},
  };
  const latest = await createBlockhashSource({ rpcs, chainHead, clock: stage.clock }).latest();
  if (latest === null) return null;
  return { ...latest, transaction: unsignedTransfer(stage.wallet, { blockhash: latest.blockhash }) };
}

/** @param wrongBy null when the caller gives no height */
async function fromPreparation(stage: NodeTrustStage, rpcs: readonly ChainRpc[], wrongBy: bigint | null) {
  const blockhash = stage.chain.blockhashOf(stage.chain.height);
  const transaction = unsignedTransfer(stage.wallet, { blockhash });
  const given = wrongBy === null ? null : stage.chain.lastValidOf(blockhash) + wrongBy;
  const { lastValidBlockHeight } = await checkPreparation(
    {
      accountId: stage.accountId,
      kind: 'transfer',
      expectedSigner: stage.wallet.toBase58(),
      transaction,
      policy: openPolicy,
      lastValidBlockHeight: given,
      expiresInMs: UNTIMED_EXPIRY_MS,
    },
    rpcs,
    stage.clock,
  );
  return { blockhash, lastValidBlockHeight, transaction };
}
