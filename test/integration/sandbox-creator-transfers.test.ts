import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { playTransfers, type RecordedTransfer } from '../support/pools/creator-transfers.ts';

const file = new URL('../fixtures/creator-transfers/transfers.json', import.meta.url);
const recorded: RecordedTransfer[] = JSON.parse(readFileSync(file, 'utf8'));

test('the model of the curve moves a pool to another creator, and refuses it, as the compiled program did', async () => {
  expect(await playTransfers()).toEqual(recorded);
  expect(recorded.filter(({ error }) => error === null).length).toBeGreaterThan(8);
  expect(new Set(recorded.map(({ error }) => error)).size).toBeGreaterThan(8);
});
