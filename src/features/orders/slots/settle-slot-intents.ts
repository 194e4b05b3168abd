import { afterCommit } from '../../../db/after-commit.ts';
import type { Transaction } from '../../../db/client.ts';
import type { EndContext } from '../sending/end-orders.ts';
import { isUnsent, listUnsentOfSlots, voidOrders } from '../sending/void-orders.ts';
import type { OrderReason } from '../state.ts';

export interface SlotIntentContext extends Omit<EndContext, 'db'> {
  /** Gets the ids of slots with a new state: requests wait for them. */
  onStatusChanged(slotIds: readonly string[]): void;
}

interface EndedSlotIntent {
  id: string;
  kind: string;
  status: string;
}

/** What ends with intents that advance the nonce of a slot, or return its rent (contract/intents#dependents). */
export function createSlotDependents(context: SlotIntentContext) {
  return {
    kinds: new Set(['order_slot_advance', 'order_slot_closure']),
    async end(transaction: Transaction, ended: readonly EndedSlotIntent[]): Promise<void> {
      const confirmed = ended.filter(({ status }) => status === 'confirmed');
      const idsOf = (kind: string) => confirmed.filter((intent) => intent.kind === kind).map(({ id }) => id);
      const reasons = new Map<string, OrderReason>();
      for (const id of await readSpentSlots(transaction, idsOf('order_slot_advance')))
        reasons.set(id, 'withdrawn');
      const closed = await closeSlots(transaction, idsOf('order_slot_closure'), context.clock.now());
      for (const id of await listUnsentOfSlots(transaction, closed)) reasons.set(id, 'slot_closed');
      const voided = await voidOrders(transaction, reasons, context);
      afterCommit(transaction, 'orders of slot intents', () => {
        context.metrics.onOrdersEnded(voided);
        if (closed.length > 0) context.onStatusChanged(closed);
      });
    },
  };
}

/** Has the slots read again whose nonces these intents have spent. Returns the ids of the orders over those nonces that were not sent. */
async function readSpentSlots(transaction: Transaction, intentIds: readonly string[]): Promise<string[]> {
  if (intentIds.length === 0) return [];
  const rows = await transaction<{ id: string }[]>`
    with spent as materialized (
      select account_id, slot_id, nonce from orders where advance_intent_id = any(${[...intentIds]}::uuid[])
    ), due as (
      update order_slots s set due_at = least(s.due_at, statement_timestamp()) from spent
      where s.id = spent.slot_id and s.status = 'ready'
    )
    select o.id from orders o join spent on o.slot_id = spent.slot_id and o.nonce = spent.nonce
    where o.account_id = spent.account_id and ${isUnsent(transaction)}`;
  return rows.map(({ id }) => id);
}

/** Closes the slots whose rent these intents have returned. Returns their ids. */
async function closeSlots(
  transaction: Transaction,
  intentIds: readonly string[],
  now: Date,
): Promise<string[]> {
  if (intentIds.length === 0) return [];
  const rows = await transaction<{ id: string }[]>`
    update order_slots s set status = 'closed', completed_at = ${now}::timestamptz
    from transaction_intents i
    where i.id = any(${[...intentIds]}::uuid[]) and s.account_id = i.account_id and s.closing_intent_id = i.id
      and s.status = 'ready'
    returning s.id`;
  return rows.map(({ id }) => id);
}
