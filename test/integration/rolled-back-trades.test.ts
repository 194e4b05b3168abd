import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { RecordedChain, type RecordedFaults } from '../support/chain/recorded-rpc.ts';
import { endSessions, holdLocks } from '../support/database/held-locks.ts';
import { knowToken, moreTransactions, transactionsOf } from '../support/market/chain-indexer.ts';
import {
  clearIndexerStage,
  createIndexerStage,
  type IndexerStage,
  whileIndexing,
} from '../support/market/indexer-stage.ts';
import { curveFixture } from '../support/pools/curve-fixtures.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const fixture = curveFixture('e');
const more = moreTransactions(fixture, 6);
const signatures = more.map(({ transaction }) => transaction.signatures[0] ?? '');
const lastSlot = more.at(-1)?.slot ?? 0;

/** Blocks that are final beyond the last transaction: one, as with Alpenglow at once, and some. */
describe.each([1, 8])('while the final chain goes on for %d blocks,', (laterBlocks) => {
  let stage: IndexerStage;
  let chain: RecordedChain;

  beforeAll(async () => {
    stage = await createIndexerStage();
  });
  beforeEach(async () => {
    await clearIndexerStage(stage);
    chain = new RecordedChain();
    chain.add(...transactionsOf(fixture), ...more);
    await knowToken(stage.db, fixture);
  });

  /** The chain goes on beyond every slot that it ever had, and is final. */
  function finalise(): void {
    const beyond = lastSlot + laterBlocks - chain.head.slot;
    chain.emptySlots = Math.max(beyond, laterBlocks);
    chain.tellsFinality = true;
  }

  function startNode(faults: RecordedFaults = {}) {
    const node = chain.startNode(faults);
    atEnd(() => node.stop());
    return node;
  }

  /** The stored slot of each of these transactions, without those that are not stored. */
  async function slots(): Promise<Record<string, number>> {
    const rows = await stage.db<{ signature: string; slot: number }[]>`
    select distinct transaction_signature as signature, slot::int as slot from trades
    where transaction_signature = any(${signatures})`;
    return Object.fromEntries(rows.map(({ signature, slot }) => [signature, slot]));
  }
  const asRead = Object.fromEntries(more.map(({ slot }, at) => [signatures[at] ?? '', slot]));

  test('trades of a rolled-back block are removed, and those that landed again are stored at their new slot', async () => {
    const [, , lost = '', , , moved = ''] = signatures;
    await whileIndexing(stage, [startNode().url], {}, async ({ logged }) => {
      await eventually('all are read', async () => Object.keys(await slots()).length === more.length);
      expect(await slots()).toEqual(asRead);
      chain.rollBack(lost, null);
      chain.rollBack(moved, lastSlot + 3);
      finalise();
      const { [lost]: _lost, ...rest } = asRead;
      const expected = { ...rest, [moved]: lastSlot + 3 };
      await eventually('the final chain', async () => {
        const stored = await slots();
        return stored[moved] === lastSlot + 3 && stored[lost] === undefined;
      });
      expect(await slots()).toEqual(expected);
      expect(logged.some(({ msg }) => msg === 'indexer.rolled_back')).toBe(true);
    });
  });

  test('a node that has lost its history removes no trades', async () => {
    const node = startNode();
    await whileIndexing(stage, [node.url], {}, async ({ logged }) => {
      await eventually('all are read', async () => Object.keys(await slots()).length === more.length);
      finalise();
      // It knows none of the transactions, and has their blocks.
      node.faults = { pruned: transactionsOf(fixture).length + more.length };
      const asked = () => node.requests.getBlocks ?? 0;
      await eventually('asked twice', async () => asked() >= 2);
      expect(await slots()).toEqual(asRead);
      expect(logged.some(({ msg }) => msg === 'indexer.rolled_back')).toBe(false);
    });
  });

  test('a trade is removed whose block was rolled back before its batch could be recorded', async () => {
    const last = signatures.at(-1) ?? '';
    const { [last]: _last, ...others } = asRead;
    // Cursors can be read and not written, so that the first batch is published and cannot be recorded.
    const cursors = await holdLocks(
      stage.db,
      (transaction) => transaction`lock table indexer_cursors in share row exclusive mode`,
    );
    await whileIndexing(stage, [startNode().url], {}, async () => {
      await eventually('all are stored', async () => Object.keys(await slots()).length === more.length);
      const waiting = await cursors.untilBlocked('the cursor waits');
      chain.rollBack(last, null);
      await endSessions(stage.db, waiting);
      await cursors.rollBack();
      finalise();
      await eventually('the final chain', async () => (await slots())[last] === undefined);
      expect(await slots()).toEqual(others);
    });
  });

  test('the worker that takes over compares every batch that the one before had read', async () => {
    const [, lost = ''] = signatures;
    const { [lost]: _lost, ...others } = asRead;
    const limits = { pageSize: 100, batchSize: 1 };
    await whileIndexing(stage, [startNode().url], { limits }, async () => {
      await eventually('all are read', async () => Object.keys(await slots()).length === more.length);
    });
    chain.rollBack(lost, null);
    finalise();
    await whileIndexing(stage, [startNode().url], { limits }, async () => {
      await eventually('the final chain', async () => (await slots())[lost] === undefined);
      expect(await slots()).toEqual(others);
    });
  });

  test('a trade is removed whose worker was killed between its publication and the move of the cursor', async () => {
    const last = signatures.at(-1) ?? '';
    const { [last]: _last, ...others } = asRead;
    const limits = { pageSize: 100, batchSize: 1 };
    await whileIndexing(stage, [startNode().url], { limits }, async () => {
      await eventually('all are read', async () => Object.keys(await slots()).length === more.length);
    });
    // What such a worker leaves: the trade in the stream, the note of its batch, and the cursor before it.
    const before = { signature: signatures.at(-2) ?? '', slot: more.at(-2)?.slot ?? 0 };
    const moved = await stage.db`
    update indexer_cursors set last_signature = ${before.signature}, last_slot = ${before.slot}`;
    expect(moved.count).toBe(1);
    chain.rollBack(last, null);
    finalise();
    await whileIndexing(stage, [startNode().url], { limits }, async () => {
      await eventually('the final chain', async () => (await slots())[last] === undefined);
      expect(await slots()).toEqual(others);
    });
  });

  test('a trade is removed that was applied after its batch was found to be rolled back', async () => {
    const last = signatures.at(-1) ?? '';
    const { [last]: _last, ...others } = asRead;
    const holder = await stage.db.reserve();
    await holder`begin`;
    await holder`lock table trades in share row exclusive mode`;
    const node = startNode();
    await whileIndexing(stage, [node.url], {}, async () => {
      await eventually(
        'the cursor is moved',
        async () => (await stage.db`select from indexer_cursors`).count > 0,
      );
      chain.rollBack(last, null);
      finalise();
      await eventually('compared', async () => (node.requests.getBlocks ?? 0) > 0);
      await holder`rollback`;
      holder.release();
      await eventually(
        'the others are stored',
        async () => Object.keys(await slots()).length >= more.length - 1,
      );
      await eventually('the final chain', async () => (await slots())[last] === undefined);
      expect(await slots()).toEqual(others);
    });
  });

  test('a trade is removed that a stopped worker published after its batch was taken back', async () => {
    const last = signatures.at(-1) ?? '';
    const { [last]: _last, ...others } = asRead;
    await whileIndexing(stage, [startNode().url], {}, async () => {
      await eventually('all are read', async () => Object.keys(await slots()).length === more.length);
    });
    chain.rollBack(last, null);
    finalise();
    await stage.db`update unfinal_batches set taken_back_at = now()`;
    await whileIndexing(stage, [startNode().url], {}, async () => {
      await eventually('the final chain', async () => (await slots())[last] === undefined);
      expect(await slots()).toEqual(others);
    });
  });

  test('a batch is forgotten when it is final, and ten minutes after it was taken back', async () => {
    const last = signatures.at(-1) ?? '';
    await whileIndexing(stage, [startNode().url], {}, async () => {
      await eventually('all are read', async () => Object.keys(await slots()).length === more.length);
      chain.rollBack(last, null);
      finalise();
      const noted = () => stage.db`select signature from unfinal_batches`;
      await eventually('the others are final', async () =>
        (await noted()).every(({ signature }) => signature === last),
      );
      await eventually('the final chain', async () => (await slots())[last] === undefined);
      expect((await noted()).map(({ signature }) => signature)).toEqual([last]);
    });
    await stage.db`update unfinal_batches set taken_back_at = now() - interval '11 minutes'`;
    await whileIndexing(stage, [startNode().url], {}, async () => {
      await eventually('forgotten', async () => (await stage.db`select from unfinal_batches`).count === 0);
    });
  });
});
