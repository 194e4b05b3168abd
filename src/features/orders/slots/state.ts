import type { orderSlotStatuses } from '../../../db/values/order-slots.ts';

export type OrderSlotStatus = (typeof orderSlotStatuses)[number];

/** Every transition of a slot (contract/orders#slot-status). There are no others. */
export const orderSlotTransitions = {
  pending: ['ready', 'failed', 'expired'],
  ready: ['closed'],
  closed: [],
  failed: [],
  expired: [],
} as const satisfies Record<OrderSlotStatus, readonly OrderSlotStatus[]>;

/** Whether a request may wait for another state: one that is on its way (contract/orders#get-slot). */
export function awaitsChange(slot: { status: OrderSlotStatus; closingIntentId: string | null }): boolean {
  return slot.status === 'pending' || (slot.status === 'ready' && slot.closingIntentId !== null);
}

/** The nodes' reports about the account of a slot. */
export interface NonceSighting {
  /** Nodes that show a nonce account with the wallet as its authority. */
  present: number;
  /** Nodes at the head of the chain that show none. */
  absent: number;
}

/** The facts that decide about the next state of a slot. */
export interface SlotFacts {
  status: 'pending' | 'ready';
  sighting: NonceSighting;
  /** Nodes that must report a fact that no transaction of the service confirms. */
  witnesses: number;
  /** Status and error of the intent that creates the account. */
  intent: { status: string | null; errorCode: string | null };
  closingStatus: string | null;
  /** No block takes the transaction any more that creates the account. */
  windowIsClosed: boolean;
}

/**
 * The next state of a slot, or null while it stays as it is. The account decides, because a wallet can send what it has
 * signed in any way, and can close the account without the service.
 */
export function nextSlotStatus(facts: SlotFacts): Exclude<OrderSlotStatus, 'pending'> | null {
  const { status, sighting, witnesses, intent, closingStatus, windowIsClosed } = facts;
  const { present, absent } = sighting;
  if (status === 'ready') {
    const needed = closingStatus === 'confirmed' ? 1 : witnesses;
    return present === 0 && absent >= needed ? 'closed' : null;
  }
  if (present >= (intent.status === 'confirmed' ? 1 : witnesses)) return 'ready';
  if (intent.status === 'failed' && intent.errorCode === 'solana_transaction_failed') return 'failed';
  if (present > 0 || absent < witnesses || !windowIsClosed) return null;
  // A confirmed creation whose account is gone was closed at once, or a fork has dropped it.
  if (intent.status === 'failed' || intent.status === 'confirmed') return 'failed';
  return intent.status === 'expired' ? 'expired' : null;
}
