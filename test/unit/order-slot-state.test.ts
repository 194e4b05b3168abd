import { expect, test } from 'bun:test';
import {
  nextSlotStatus,
  orderSlotTransitions,
  type SlotFacts,
} from '../../src/features/orders/slots/state.ts';

const PENDING: SlotFacts = {
  status: 'pending',
  sighting: { present: 0, absent: 2 },
  witnesses: 2,
  intent: { status: 'expired', errorCode: null },
  closingStatus: null,
  windowIsClosed: true,
};
const READY: SlotFacts = { ...PENDING, status: 'ready', intent: { status: 'confirmed', errorCode: null } };
const failed = (errorCode: string) => ({ status: 'failed', errorCode });
const seen = (present: number, absent: number) => ({ sighting: { present, absent } });

test.each<[string, SlotFacts, ReturnType<typeof nextSlotStatus>]>([
  ['expired, and no node shows the account', PENDING, 'expired'],
  ['expired, but one of two nodes shows it', { ...PENDING, ...seen(1, 1) }, null],
  ['expired, but landed in another way', { ...PENDING, ...seen(2, 0) }, 'ready'],
  ['expired, while a block may still take it', { ...PENDING, windowIsClosed: false }, null],
  ['expired, while only one node reports', { ...PENDING, ...seen(0, 1) }, null],
  ['confirmed, and one node shows the account', { ...PENDING, ...seen(1, 1), intent: READY.intent }, 'ready'],
  ['confirmed, and no node shows it yet', { ...PENDING, intent: READY.intent, windowIsClosed: false }, null],
  ['confirmed, and no node shows it any more', { ...PENDING, intent: READY.intent }, 'failed'],
  [
    'failed on chain',
    { ...PENDING, intent: failed('solana_transaction_failed'), windowIsClosed: false },
    'failed',
  ],
  ['lost, and no block takes it any more', { ...PENDING, intent: failed('lost') }, 'failed'],
  ['lost, but landed in another way', { ...PENDING, ...seen(2, 0), intent: failed('lost') }, 'ready'],
  ['ready, and shown', { ...READY, ...seen(2, 0) }, null],
  ['ready, and shown by one of two nodes', { ...READY, ...seen(1, 1) }, null],
  ['ready, and one node lags behind a closure of the wallet’s own', { ...READY, ...seen(0, 1) }, null],
  ['ready, and closed by the wallet itself', READY, 'closed'],
  ['ready, closing has landed', { ...READY, ...seen(0, 1), closingStatus: 'confirmed' }, 'closed'],
  ['ready, closing is on its way', { ...READY, ...seen(0, 1), closingStatus: 'submitted' }, null],
  ['ready, no node responds', { ...READY, ...seen(0, 0) }, null],
])('a slot that is %s', (_name, facts, next) => {
  expect(nextSlotStatus(facts)).toBe(next);
  const allowed: readonly string[] = orderSlotTransitions[facts.status];
  if (next !== null) expect(allowed).toContain(next);
});
