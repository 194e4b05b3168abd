import { readNonceAccount } from '../../../chain/accounts/nonce-account.ts';
import type { ChainHeadSource } from '../../../chain/head.ts';
import { witnessesOf } from '../../../chain/node-trust/witnesses.ts';
import type { ChainRpc } from '../../../chain/rpc.ts';
import type { EndContext } from '../sending/end-orders.ts';
import { NONCE_ACCOUNTS_MAX, type NonceReading, readNonces } from '../sending/read-nonces.ts';
import { listUnsentOfSlots, voidOrders, voidSpentOrders } from '../sending/void-orders.ts';
import { claimDueSlots, type DueSlot, type SlotChange, updateSlot } from './due-slot-rows.ts';
import { type NonceSighting, nextSlotStatus } from './state.ts';

export interface OrderSlotsContext extends EndContext {
  rpcs: readonly ChainRpc[];
  chainHead: ChainHeadSource;
  /** Gets the ids of slots with a new state: requests wait for them. */
  onStatusChanged(slotIds: readonly string[]): void;
}

/** Accounts of one call. */
export const SLOTS_MAX = NONCE_ACCOUNTS_MAX;
const TIMEOUT_MS = 4_000;
/** A worker that is killed leaves its slots to the next one after this time. */
const CLAIMED_MS = 10_000;
/** Next look at a slot that waits for a block. */
const SOON_MS = 1_000;
const IDLE_MS = 60_000;

interface SlotReading extends NonceSighting {
  /** The nonce at the newest of the nodes that show the account; null when none does. */
  newest: { slot: bigint; nonce: string } | null;
}

/**
 * Looks at the accounts of slots that are due, moves them to the state that the chain shows, and ends the orders whose
 * nonce is spent. Each worker claims other slots. True when there may be more to do now.
 */
export async function advanceOrderSlots(context: OrderSlotsContext): Promise<boolean> {
  const { db, clock, rpcs, chainHead } = context;
  const now = clock.now();
  const due = await claimDueSlots(db, now, new Date(now.getTime() + CLAIMED_MS), SLOTS_MAX);
  if (due.length === 0) return false;
  const head = chainHead.current();
  const addresses = [...new Set(due.map(({ nonceAddress }) => nonceAddress))];
  const readings = await readNonces(rpcs, addresses, TIMEOUT_MS);
  const changed: string[] = [];
  for (const slot of due) {
    const { newest, ...sighting } = readingOf(readings, slot, head?.slot ?? null);
    const status = nextSlotStatus({
      status: slot.status,
      sighting,
      witnesses: witnessesOf(rpcs.length),
      intent: { status: slot.intentStatus, errorCode: slot.errorCode },
      closingStatus: slot.closingStatus,
      windowIsClosed:
        head !== null && slot.lastValidBlockHeight !== null && head.blockHeight > slot.lastValidBlockHeight,
    });
    const lookedAt = clock.now();
    const dueAt = new Date(lookedAt.getTime() + (awaitsBlock(slot, status) ? SOON_MS : IDLE_MS));
    const change: SlotChange = { status, newest, dueAt, now: lookedAt };
    if (status === 'closed') await closeSlot(context, slot, change);
    else await updateSlot(db, slot, change);
    if (status !== null) changed.push(slot.id);
  }
  if (changed.length > 0) context.onStatusChanged(changed);
  const slotIds = due.map(({ id }) => id);
  await voidSpentOrders(context, slotIds, { readings, nodes: rpcs.length });
  return due.length === SLOTS_MAX;
}

/** Stores that a slot is closed, and ends its orders with it: nobody looks at a closed slot again. */
async function closeSlot(context: OrderSlotsContext, slot: DueSlot, change: SlotChange): Promise<void> {
  const ended = await context.db.begin(async (transaction) => {
    await updateSlot(transaction, slot, change);
    const orderIds = await listUnsentOfSlots(transaction, [slot.id]);
    return voidOrders(transaction, new Map(orderIds.map((id) => [id, 'slot_closed'])), context);
  });
  context.metrics.onOrdersEnded(ended);
}

function readingOf(
  readings: readonly NonceReading[],
  { nonceAddress, walletAddress }: DueSlot,
  headSlot: bigint | null,
): SlotReading {
  const reading: SlotReading = { present: 0, absent: 0, newest: null };
  for (const { slot, accounts } of readings) {
    const account = readNonceAccount(accounts.get(nonceAddress) ?? null);
    if (account?.authority === walletAddress) {
      reading.present += 1;
      if (reading.newest === null || slot > reading.newest.slot)
        reading.newest = { slot, nonce: account.nonce };
    } else if (headSlot !== null && slot >= headSlot) reading.absent += 1;
  }
  return reading;
}

/** Whether the slot is about to change: its intent has ended, or one that closes it may land. */
function awaitsBlock({ status, closingStatus }: DueSlot, next: string | null): boolean {
  if (status === 'pending') return next === null;
  return closingStatus === 'prepared' || closingStatus === 'submitted' || closingStatus === 'confirmed';
}
