import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { interceptNode } from '../support/chain/node-interceptor.ts';
import { knowToken } from '../support/market/chain-indexer.ts';
import {
  clearIndexerStage,
  createIndexerStage,
  type IndexerStage,
  whileIndexing,
} from '../support/market/indexer-stage.ts';
import { PoolChain } from '../support/market/pool-chain.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

/** More than a batch, and enough in each slot of a page that they are not read one by one. */
const BURST = 120;
/** As configured by default. */
const REQUESTS_PER_SECOND = 32;

let stage: IndexerStage;
let market: PoolChain;

beforeAll(async () => {
  stage = await createIndexerStage();
  market = await PoolChain.start('manual');
  atEnd(() => market.chain.stop());
});
beforeEach(() => clearIndexerStage(stage));

/** A pool that was read to its end, and then a burst of trades in it, of two slots, from a node that refuses a method. */
async function burst(refused: 'getBlock' | 'getTransaction') {
  const node = interceptNode(market.chain.rpcUrl);
  atEnd(() => node.stop());
  const { mintAddress, poolAddress } = market.launch();
  const pool = { mintAddress, decimals: 6, poolAddress };
  await knowToken(stage.db, { name: 'Burst', pool }, { poolAddress });
  const { ledger } = market.chain;
  ledger.advanceSlots(2n);
  const stored = async () =>
    stage.db<{ signature: string }[]>`
      select transaction_signature as signature from trades where mint_address = ${mintAddress}
      order by slot, transaction_index, outer_index, inner_index`;
  await whileIndexing(stage, [node.rpcUrl], { requestsPerSecond: REQUESTS_PER_SECOND }, async () => {
    await eventually('the launch', async () => (await stored()).length === 1);
    // Without a cursor the pool is read from its launch again, which is a single transaction.
    await eventually('its cursor', async () => {
      const cursors = await stage.db`select from indexer_cursors where pool_address = ${poolAddress}`;
      return cursors.length === 1;
    });
    node.answer = (method) => (method === refused ? { code: -32_601, message: 'Method not found' } : null);
    node.forget();
    const landed: string[] = [];
    for (let at = 0; at < BURST; at += 1) {
      if (at === BURST / 2) ledger.advanceSlots(1n);
      landed.push(market.trade(market.launched.length - 1).signature);
    }
    ledger.advanceSlots(2n);
    await eventually('the burst', async () => (await stored()).length === BURST + 1);
    expect((await stored()).slice(1).map(({ signature }) => signature)).toEqual(landed);
  });
  return node;
}

test('a burst in one pool is read in whole blocks, in the order of the chain', async () => {
  const node = await burst('getTransaction');
  expect(node.seen('getBlock')).toBeGreaterThan(0);
});

test('where a node returns no blocks, the burst is read transaction by transaction, and the node stays in use', async () => {
  const node = await burst('getBlock');
  expect(node.seen('getTransaction')).toBeGreaterThanOrEqual(BURST);
});
