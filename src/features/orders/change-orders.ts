import { afterCommit } from '../../db/after-commit.ts';
import type { Transaction } from '../../db/client.ts';
import type { OrderRefusal } from '../../db/values/orders.ts';
import type { Outbox } from '../../outbox/append.ts';
import { type ComposedEvent, insertEvents } from '../../outbox/event-rows.ts';
import type { Clock } from '../../shared/clock.ts';
import { type OrderRow, toOrder } from './record.ts';
import { isOrderEnded, type OrderReason, type OrderStatus, orderEvent } from './state.ts';

/** What triggered an order: the first trade that crossed its price. */
export interface OrderTrigger {
  tradeId: string;
  slot: bigint;
  /** The compared price, as a decimal text. */
  price: string;
}

/** The next state of an order. Fields that are not given stay as they are. */
export interface OrderChange {
  /** As it was read. An order that has changed since stays as it is. */
  order: OrderRow;
  to: OrderStatus;
  /** Why it ends; only with an end that has reasons. */
  reason?: OrderReason;
  /** Only with `triggered`, which needs it. */
  trigger?: OrderTrigger;
  /** Why the chain refuses it now. */
  refusal?: OrderRefusal;
  attempts?: number;
  /** When the clock ends it; for an order that opens. */
  endsAt?: Date;
  /** What became of the transaction, for an order that ends with its intent. */
  intent?: Pick<OrderRow, 'transactionSignature'> & Partial<OrderRow>;
}

export interface OrderChangeContext {
  outbox: Outbox;
  clock: Clock;
}

/**
 * Moves orders to their next states: the only function that does. In one statement of the caller's transaction it
 * writes status and version, appends the event of the transition, and erases the signed bytes of orders that have
 * ended. Skips an order that has changed since it was read, so one of several workers wins. Returns the orders that
 * changed, as they are now. Throws when a transition does not exist.
 */
export async function changeOrders(
  transaction: Transaction,
  changes: readonly OrderChange[],
  { outbox, clock }: OrderChangeContext,
): Promise<OrderRow[]> {
  if (changes.length === 0) return [];
  const now = clock.now();
  const composed = changes.map((change) => {
    const after = orderAfter(change, now);
    return { from: change.order.status, after, event: eventOf(outbox, change.order.status, after, now) };
  });
  const events = composed.map(({ event }) => event);
  const given = composed.map(({ from, after }, at) => ({
    id: after.id,
    from_status: from,
    version: after.version,
    status: after.status,
    reason: after.reason,
    refusal: after.refusal,
    ends_at: after.endsAt,
    opened_at: after.openedAt,
    triggered_at: after.triggeredAt,
    trigger_trade_id: after.triggerTradeId,
    trigger_slot: after.triggerSlot?.toString() ?? null,
    trigger_observed_price: after.triggerObservedPrice,
    attempts: after.attempts,
    next_attempt_at: after.nextAttemptAt,
    // Orders of one change are sent in its order: their times differ by microseconds.
    turn: at + 1 - changes.length,
    completed_at: after.completedAt,
  }));
  const stored = await transaction<{ id: string }[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${transaction.json(given)}::jsonb) as g (id uuid, from_status text, version int,
        status text, reason text, refusal jsonb, ends_at timestamptz, opened_at timestamptz, triggered_at timestamptz,
        trigger_trade_id uuid, trigger_slot int8, trigger_observed_price numeric, attempts int,
        next_attempt_at timestamptz, turn int, completed_at timestamptz)
    ), changed as (
      update orders o set status = g.status, version = g.version, reason = g.reason, refusal = g.refusal,
        ends_at = g.ends_at, opened_at = g.opened_at, triggered_at = g.triggered_at,
        trigger_trade_id = g.trigger_trade_id, trigger_slot = g.trigger_slot,
        trigger_observed_price = g.trigger_observed_price, attempts = g.attempts,
        next_attempt_at = g.next_attempt_at + g.turn * interval '1 microsecond', completed_at = g.completed_at
      from given g where o.id = g.id and o.status = g.from_status and o.version = g.version - 1
      returning o.id, o.completed_at
    ), erased as (
      update order_transactions t set sealed_transaction = null
      from changed c where t.order_id = c.id and c.completed_at is not null and t.sealed_transaction is not null
    ), recorded as (${insertEvents(transaction, events, transaction`where e.subject in (select id::text from changed)`)})
    select id from changed`;
  const ids = new Set(stored.map(({ id }) => id));
  const moved = composed.filter(({ after }) => ids.has(after.id));
  const [first] = moved;
  // One hint says that accounts have new events, however many there are.
  if (first !== undefined) afterCommit(transaction, 'account event', () => outbox.hint(first.event));
  return moved.map(({ after }) => after);
}

/** `changeOrders` of one order: the order as it is now, or null when it has changed since it was read. */
export async function changeOrder(
  transaction: Transaction,
  change: OrderChange,
  context: OrderChangeContext,
): Promise<OrderRow | null> {
  const [moved] = await changeOrders(transaction, [change], context);
  return moved ?? null;
}

/** What a trigger leaves, the attempts to send included: the next trigger begins anew. */
const untriggered = {
  attempts: 0,
  triggeredAt: null,
  triggerTradeId: null,
  triggerSlot: null,
  triggerObservedPrice: null,
  nextAttemptAt: null,
};

function orderAfter(change: OrderChange, now: Date): OrderRow {
  const { order, to, trigger, refusal, reason = null, attempts, endsAt, intent } = change;
  const after: OrderRow = {
    ...order,
    ...intent,
    status: to,
    version: order.version + 1,
    reason,
    refusal: refusal ?? order.refusal,
    attempts: attempts ?? order.attempts,
    endsAt: endsAt ?? order.endsAt,
    completedAt: isOrderEnded(to) ? now : null,
  };
  if (to === 'open') return { ...after, ...untriggered, openedAt: order.openedAt ?? now };
  if (to !== 'triggered') return after;
  if (trigger === undefined) throw new Error('a triggered order needs its trade');
  const { tradeId, slot, price } = trigger;
  return {
    ...after,
    triggeredAt: now,
    triggerTradeId: tradeId,
    triggerSlot: slot,
    triggerObservedPrice: price,
    nextAttemptAt: now,
  };
}

function eventOf(outbox: Outbox, from: OrderStatus, after: OrderRow, now: Date): ComposedEvent {
  const name = orderEvent(from, after.status);
  if (name === null) throw new Error(`an order cannot go from ${from} to ${after.status}`);
  const { id, accountId } = after;
  return outbox.compose({ name, subject: id, accountId, data: toOrder(after), time: now });
}
