import { expect, test } from 'bun:test';
import { clusterOf } from '../../src/chain/cluster.ts';
import { type ChainHead, newerHead } from '../../src/chain/head.ts';

const now = new Date('2026-01-01T00:00:00Z');
const head = (blockHeight: bigint, ageMs: number) => ({
  slot: blockHeight,
  blockHeight,
  observedAt: new Date(now.getTime() - ageMs),
});

const newestHead = (...readings: ChainHead[]) => readings.reduce((best, one) => newerHead(best, one, now));

test('the highest fresh reading counts, so a lagging node is outvoted', () => {
  expect(newestHead(head(5n, 0), head(9n, 3_000), head(7n, 100)).blockHeight).toBe(9n);
});

test('a node that stopped answering long ago does not hold the head', () => {
  expect(newestHead(head(5n, 0), head(9n, 60_000)).blockHeight).toBe(5n);
  expect(newestHead(head(9n, 60_000), head(5n, 0)).blockHeight).toBe(5n);
});

test('without a fresh reading the latest one is returned with its time', () => {
  expect(newestHead(head(9n, 60_000), head(5n, 20_000))).toEqual(head(5n, 20_000));
  expect(newestHead(head(5n, 20_000), head(9n, 60_000))).toEqual(head(5n, 20_000));
});

test('public clusters are known by their genesis hash; everything else is local', () => {
  expect(clusterOf('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')).toBe('mainnet-beta');
  expect(clusterOf('EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG')).toBe('devnet');
  expect(clusterOf('4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY')).toBe('testnet');
  expect(clusterOf('constructor')).toBe('localnet');
});
