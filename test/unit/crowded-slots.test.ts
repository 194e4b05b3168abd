import { expect, test } from 'bun:test';
import { crowdedSlots } from '../../src/indexer/pool-history/fetch-transactions.ts';

const records = (slot: number, count: number, failed = false) =>
  Array.from({ length: count }, (_, at) => ({
    signature: `${slot}-${at}`,
    slot: BigInt(slot),
    failed,
    transactionIndex: null,
  }));

test('a slot is crowded when its transactions cost more requests than the budget affords in its time', () => {
  expect(crowdedSlots([...records(1, 9), ...records(2, 10)], 32, 2.5)).toEqual(new Set([2n]));
  expect(crowdedSlots([...records(1, 1), ...records(2, 2)], 1, 2.5)).toEqual(new Set([2n]));
  expect(crowdedSlots(records(1, 299), 1_000, 2.5)).toEqual(new Set());
  expect(crowdedSlots([...records(1, 4), ...records(2, 5)], 32, 5)).toEqual(new Set([2n]));
});

test('failed transactions are not fetched, and crowd no slot', () => {
  expect(crowdedSlots([...records(1, 9), ...records(1, 9, true)], 32, 2.5)).toEqual(new Set());
});

test('without a budget nothing is crowded', () => {
  expect(crowdedSlots(records(1, 1_000), Number.POSITIVE_INFINITY, 2.5)).toEqual(new Set());
});
