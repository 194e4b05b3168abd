import { expect, test } from 'bun:test';
import { BlockText } from '../../src/chain/rpc/block-text.ts';
import { SharedBlocks } from '../../src/indexer/pool-history/shared-blocks.ts';

function blockOf(...signatures: string[]): BlockText {
  const transactions = signatures.map((signature) => ({
    transaction: { signatures: [signature] },
    meta: {},
  }));
  const block = BlockText.read(JSON.stringify({ result: { transactions, blockTime: 1 } }));
  if (block === null) throw new Error('no block');
  return block;
}

const has = (signature: string) => (block: BlockText) => block.has(signature);

test('pools that ask for one slot share one request, also while it runs', async () => {
  const blocks = new SharedBlocks();
  let fetched = 0;
  const fetch = async () => {
    fetched += 1;
    return blockOf('a', 'b');
  };
  const read = await Promise.all(['a', 'b'].map((one) => blocks.read(7n, has(one), fetch)));
  expect(read.every((block) => block !== null)).toBe(true);
  expect(await blocks.read(7n, has('a'), fetch)).not.toBeNull();
  expect(fetched).toBe(1);
});

test('a block without everything that is wanted is fetched again, once for all who miss something', async () => {
  const blocks = new SharedBlocks();
  const held = [blockOf('a'), blockOf('b', 'c')];
  let fetched = 0;
  const fetch = async () => held[fetched++] ?? null;
  await blocks.read(7n, has('a'), fetch);
  const read = await Promise.all(['b', 'c'].map((one) => blocks.read(7n, has(one), fetch)));
  expect(read.every((block) => block !== null)).toBe(true);
  expect(fetched).toBe(2);
  expect(await blocks.read(7n, has('d'), fetch)).toBeNull();
});

test('a node without blocks is asked once for a slot', async () => {
  const blocks = new SharedBlocks();
  let fetched = 0;
  const fetch = async () => {
    fetched += 1;
    return null;
  };
  for (let time = 0; time < 3; time += 1) expect(await blocks.read(7n, has('a'), fetch)).toBeNull();
  expect(fetched).toBe(1);
});

test('pools that changed are counted by slot, each once', () => {
  const blocks = new SharedBlocks();
  for (const pool of ['a', 'b', 'a']) blocks.noteChange(pool, 7n);
  blocks.noteChange('a', 8n);
  expect([7n, 8n, 9n].map((slot) => blocks.changedCount(slot))).toEqual([2, 1, 0]);
  for (let slot = 100n; slot < 200n; slot += 1n) blocks.noteChange('a', slot);
  expect(blocks.changedCount(7n)).toBe(0);
});
