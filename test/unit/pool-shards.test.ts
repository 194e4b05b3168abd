import { expect, test } from 'bun:test';
import { POOL_SHARDS, PoolShards, shardOf } from '../../src/indexer/pool-history/pool-shards.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';

const pools = Array.from({ length: 10_000 }, () => encodeBase58(crypto.getRandomValues(new Uint8Array(32))));

test('pools are spread over all shards, none of which has half as many again as the others', () => {
  const counts = new Array<number>(POOL_SHARDS).fill(0);
  for (const pool of pools) counts[shardOf(pool)] = (counts[shardOf(pool)] ?? 0) + 1;
  const mean = pools.length / POOL_SHARDS;
  for (const count of counts) expect(Math.abs(count / mean - 1)).toBeLessThan(0.25);
});

test('releases that run at once agree on the shard of a pool', () => {
  const addresses = ['11111111111111111111111111111111', 'So11111111111111111111111111111111111111112'];
  expect(addresses.map(shardOf)).toMatchInlineSnapshot(`
    [
      5,
      7,
    ]
  `);
});

test('a worker has the pools of its shards, and tells of each change in turn', async () => {
  const shards = new PoolShards();
  const told: string[] = [];
  const stop = shards.listen(async () => {
    await Promise.resolve();
    told.push(`first ${shards.count}`);
  });
  shards.listen(async () => void told.push(`second ${shards.count}`));
  expect(pools.some((pool) => shards.has(pool))).toBe(false);
  await shards.hold(new Set([3, 4]));
  for (const pool of pools) expect(shards.has(pool)).toBe([3, 4].includes(shardOf(pool)));
  stop();
  await shards.hold(new Set());
  expect(told).toEqual(['first 2', 'second 2', 'second 0']);
});
