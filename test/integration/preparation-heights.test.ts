import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { heightAtSlot } from '../../sandbox/chain/commitment.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type { Preparation } from '../../src/intents/prepare/preparation.ts';
import { unsignedTransfer } from '../support/intents/intent-transactions.ts';
import { PreparationStage } from '../support/intents/preparation-stage.ts';
import { type LyingNode, startLyingNode } from '../support/trading/lying-node.ts';

const WINDOW = 150n;
/** What one of two nodes that lies gains while a window lasts. */
const MARGIN = 139n;
const LOCAL_WINDOW = 10_000n;
/** Blocks that the chain may climb in the second that a reading is old at most. */
const CLIMB = 5n;
const NOWHERE = 'http://127.0.0.1:1';

let stage: PreparationStage;
let liar: LyingNode;
let other: LyingNode;

beforeAll(async () => {
  stage = await PreparationStage.start();
  liar = startLyingNode(() => stage.chain.rpcUrl);
  other = startLyingNode(() => stage.chain.rpcUrl);
});
beforeEach(() => {
  liar.change = () => null;
  other.change = () => null;
  liar.forget();
});

/** The last block that takes a transaction with the newest blockhash of all. */
const lastPossible = () => heightAtSlot(stage.chain.ledger.slot) + WINDOW;

/** By nodes that this process knows nothing about yet. */
const heightOf = async (changes: Partial<Preparation>, urls: readonly string[]) =>
  (await stage.check(changes, createChainRpcs(urls))).lastValidBlockHeight;

/** Makes a node report slots and heights with this offset. */
function tellsHeights(node: LyingNode, blocks: number): void {
  node.change = (method, result) =>
    method === 'getEpochInfo'
      ? {
          ...result,
          absoluteSlot: result.absoluteSlot + blocks,
          blockHeight: result.blockHeight + blocks,
        }
      : null;
}

describe('a height that the caller gives', () => {
  const given = (lastValidBlockHeight: bigint) => ({ lastValidBlockHeight });

  test.each([0n, 7n])('and that is too low (%p) ends no intent before its window', async (height) => {
    const bound = await heightOf(given(height), [stage.chain.rpcUrl]);
    expect(bound).toBeGreaterThanOrEqual(lastPossible());
    expect(bound).toBeLessThanOrEqual(lastPossible() + MARGIN + CLIMB);
  });

  test('and that a local chain may have stays', async () => {
    const height = lastPossible() + 5_000n;
    expect(await heightOf(given(height), [stage.chain.rpcUrl])).toBe(height);
  });

  test('and that is impossible does not keep an intent waiting for ever', async () => {
    const bound = await heightOf(given(10n ** 17n), [stage.chain.rpcUrl]);
    expect(bound).toBeLessThanOrEqual(lastPossible() + LOCAL_WINDOW + MARGIN + CLIMB);
  });

  test('is not confirmed by a lagging node beside an honest one', async () => {
    stage.chain.advanceSlots(200);
    tellsHeights(liar, -170);
    for (const urls of [
      [liar.rpcUrl, stage.chain.rpcUrl],
      [stage.chain.rpcUrl, liar.rpcUrl],
    ])
      expect(await heightOf(given(7n), urls)).toBeGreaterThanOrEqual(lastPossible());
  });

  test.each<[string, () => string[]]>([
    ['no node is configured', () => []],
    ['no node responds', () => [NOWHERE]],
    ['one of two nodes responds', () => [NOWHERE, stage.chain.rpcUrl]],
  ])('does not count while %s: later reports about the blockhash do', async (_case, urls) => {
    expect(await heightOf(given(7n), urls())).toBeNull();
  });

  test('counts for nothing while two nodes contradict each other beyond reason', async () => {
    tellsHeights(liar, 10 ** 9);
    expect(await heightOf(given(7n), [liar.rpcUrl, stage.chain.rpcUrl])).toBeNull();
  });

  test('is compared with one reading of each node, however many are prepared at a time', async () => {
    const rpcs = createChainRpcs([liar.rpcUrl]);
    for (let item = 0; item < 20; item += 1) await stage.check(given(7n), rpcs);
    expect(liar.seen('getEpochInfo')).toBeLessThan(20);
  });
});

describe('the block height of an intent for which none is given', () => {
  test('is 150 blocks from now where nodes know the blockhash, so never too low', async () => {
    const { transaction } = stage.preparation();
    const newest = stage.blockhash();
    stage.chain.advanceSlots(20);
    const exact = stage.chain.ledger.ring.lastValidBlockHeight(stage.chain.ledger.slot - 20n);
    const height = await heightOf({ transaction }, [stage.chain.rpcUrl]);
    expect(newest).not.toBe(stage.blockhash());
    expect(height).toBeGreaterThanOrEqual(exact);
    expect(height).toBeLessThanOrEqual(exact + 20n);
  });

  /** The blockhash is confirmed, so that nodes know it. */
  const confirmed = () => {
    const { transaction } = stage.preparation();
    const exact = stage.chain.ledger.ring.lastValidBlockHeight(stage.chain.ledger.slot);
    stage.chain.advanceSlots(2);
    return { transaction, exact };
  };

  test('is not too low when the node that tells its height lags behind the one that knows the blockhash', async () => {
    stage.chain.advanceSlots(200);
    const { transaction, exact } = confirmed();
    tellsHeights(liar, -170);
    expect(await heightOf({ transaction }, [liar.rpcUrl])).toBeGreaterThanOrEqual(exact);
  });

  test.each<[string, () => void]>([
    [
      'the other does not know the blockhash',
      () => {
        other.change = (method, result) =>
          method === 'isBlockhashValid' ? { ...result, value: false } : null;
      },
    ],
    ['the other knows the blockhash', () => {}],
  ])('is not too low by the word of one that lags, where %s', async (_case, arrange) => {
    stage.chain.advanceSlots(200);
    const { transaction, exact } = confirmed();
    arrange();
    liar.change = (method, result) => {
      if (method === 'getEpochInfo')
        return {
          ...result,
          absoluteSlot: result.absoluteSlot - 170,
          blockHeight: result.blockHeight - 170,
        };
      if (method !== 'isBlockhashValid') return null;
      return { context: { ...result.context, slot: result.context.slot - 170 }, value: true };
    };
    for (const urls of [
      [liar.rpcUrl, other.rpcUrl],
      [other.rpcUrl, liar.rpcUrl],
    ])
      expect(await heightOf({ transaction }, urls)).toBeGreaterThanOrEqual(exact);
  });

  test.each<[string, () => Partial<Preparation>, () => string[]]>([
    [
      'no node knows the blockhash',
      () => ({ transaction: unsignedTransfer(stage.wallet.publicKey) }),
      () => [stage.chain.rpcUrl],
    ],
    ['no node responds', () => ({}), () => [NOWHERE]],
    ['one of two nodes responds', () => ({}), () => [NOWHERE, stage.chain.rpcUrl]],
  ])('is unknown when %s', async (_case, changes, urls) => {
    expect(await heightOf(changes(), urls())).toBeNull();
  });
});
