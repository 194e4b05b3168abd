import type { Database, Transaction } from '../../../db/client.ts';
import { changeOrders, type OrderChange } from '../change-orders.ts';
import { lockOrders } from '../order-rows.ts';
import type { OrderRow } from '../record.ts';
import type { OrderReason } from '../state.ts';
import type { OrderMetrics } from './metrics.ts';
import type { SettleContext } from './settle-unsent.ts';

export interface EndContext extends SettleContext {
  metrics: Pick<OrderMetrics, 'onOrdersEnded'>;
}

/** SQL: an order has to end at `now`. */
export function isOrderEndDue(db: Database, now: Date): ReturnType<Database> {
  return db`(exists (
      select from orders where status in ('unsigned', 'open', 'triggered') and intent_id is null and ends_at <= ${now}::timestamptz)
    or exists (
      select from orders o join transaction_intents i on i.id = o.intent_id
      where o.status = 'triggered' and o.intent_id is not null and i.status in ('confirmed', 'failed')))`;
}

/** How the transaction of an order ended. */
export type SentEnd = 'landed' | 'landed_failed' | 'lost' | 'never_sent';

interface EndedOrder {
  id: string;
  slotId: string;
  nonce: string;
  end: SentEnd;
  /** Another order over the same nonce has landed, now or before. */
  hasLandedSibling: boolean;
}

/**
 * Ends up to `limit` orders whose intents have ended, and with each the orders over the same nonce that were not sent: the
 * nonce is spent. A sent order that is lost waits while another one over its nonce may still land, so that it is known
 * which one did. Returns the number of orders that ended with their intents.
 */
export async function endSentOrders(context: EndContext, limit: number): Promise<number> {
  const { db, metrics } = context;
  const ended = await db.begin(async (transaction) => {
    const sent = await listEnded(transaction, limit);
    if (sent.length === 0) return [];
    const siblings = await listUnsentSiblings(transaction, sent);
    const rows = await lockOrders(transaction, [...sent.map(({ id }) => id), ...siblings]);
    const ends = new Map(sent.map((order) => [order.id, order]));
    const changes = rows.flatMap((order) => {
      const end = ends.get(order.id);
      return end === undefined ? siblingChange(order, sent) : sentChange(order, end);
    });
    // Landings first: their events come before those of the orders that they end.
    changes.sort((left, right) => Number(right.to === 'landed') - Number(left.to === 'landed'));
    return await changeOrders(transaction, changes, context);
  });
  metrics.onOrdersEnded(ended);
  return ended.filter(({ intentId }) => intentId !== null).length;
}

/** Landings first: what else was sent over their nonces ends in the same step or in a later one. */
async function listEnded(transaction: Transaction, limit: number): Promise<EndedOrder[]> {
  return await transaction<EndedOrder[]>`
    with ended as materialized (
      select o.id, o.account_id, o.slot_id, o.nonce, case
          when i.status = 'confirmed' then 'landed'
          when i.error_code = 'solana_transaction_failed' then 'landed_failed'
          when i.error_code = 'transaction_intent_invalid_state' then 'never_sent'
          else 'lost' end as "end"
      from orders o join transaction_intents i on i.id = o.intent_id
      where o.status = 'triggered' and o.intent_id is not null and i.status in ('confirmed', 'failed')
        and (i.status = 'confirmed' or i.error_code in ('solana_transaction_failed', 'transaction_intent_invalid_state')
          or not exists (
            select from orders s join transaction_intents own on own.id = s.intent_id
            where s.slot_id = o.slot_id and s.nonce = o.nonce and s.status = 'triggered' and s.intent_id is not null
              and own.status = 'submitted'))
      order by i.status = 'confirmed' desc, o.intent_id limit ${limit}
    )
    select e.id, e.slot_id, e.nonce, e."end", e."end" = 'lost' and exists (
        select from orders w where w.account_id = e.account_id and w.status = 'landed' and w.slot_id = e.slot_id
          and w.nonce = e.nonce
        union all
        select from ended w where w.slot_id = e.slot_id and w.nonce = e.nonce and w."end" = 'landed'
      ) as has_landed_sibling
    from ended e`;
}

/** Orders over the nonces of those that ended, as far as the nonces are spent. */
async function listUnsentSiblings(transaction: Transaction, sent: readonly EndedOrder[]): Promise<string[]> {
  const spent = sent.filter(({ end }) => end !== 'never_sent');
  const rows = await transaction<{ id: string }[]>`
    select o.id from orders o
    join unnest(${spent.map(({ slotId }) => slotId)}::uuid[], ${spent.map(({ nonce }) => nonce)}::text[]) as s (slot_id, nonce)
      on o.slot_id = s.slot_id and o.nonce = s.nonce
    where o.status in ('unsigned', 'open', 'triggered') and o.intent_id is null`;
  return [...new Set(rows.map(({ id }) => id))];
}

function sentChange(order: OrderRow, { end, hasLandedSibling }: EndedOrder): OrderChange[] {
  if (order.status !== 'triggered' || order.intentId === null) return [];
  switch (end) {
    case 'landed':
      return [{ order, to: 'landed' }];
    case 'landed_failed':
      return [{ order, to: 'failed', reason: 'transaction_failed' }];
    case 'lost':
      return hasLandedSibling
        ? [{ order, to: 'cancelled', reason: 'other_landed' }]
        : [{ order, to: 'failed', reason: 'transaction_lost' }];
    case 'never_sent':
      return [{ order, to: 'failed', reason: 'transaction_lost' }];
  }
}

function siblingChange(order: OrderRow, sent: readonly EndedOrder[]): OrderChange[] {
  // It may have been sent meanwhile: then its intent ends it.
  if (order.completedAt !== null || order.intentId !== null) return [];
  const ended = sent.filter(({ slotId, nonce }) => slotId === order.slotId && nonce === order.nonce);
  const hasLanded = ended.some(({ end, hasLandedSibling }) => end === 'landed' || hasLandedSibling);
  return hasLanded
    ? [{ order, to: 'cancelled', reason: 'other_landed' }]
    : [{ order, to: 'voided', reason: 'nonce_spent' }];
}

const expiryReasons: Partial<Record<OrderRow['status'], OrderReason>> = {
  unsigned: 'not_signed',
  open: 'not_triggered',
  triggered: 'not_sent',
};

/** Ends up to `limit` orders whose time is over, unless they were sent. Returns their number. */
export async function expireOrders(context: EndContext, limit: number): Promise<number> {
  const { db, clock, metrics } = context;
  const now = clock.now();
  const ended = await db.begin(async (transaction) => {
    const overdue = await transaction<{ id: string }[]>`
      select id from orders
      where status in ('unsigned', 'open', 'triggered') and intent_id is null and ends_at <= ${now}::timestamptz
      order by ends_at limit ${limit}`;
    const rows = await lockOrders(
      transaction,
      overdue.map(({ id }) => id),
    );
    const changes = rows.flatMap((order): OrderChange[] => {
      const reason = expiryReasons[order.status];
      const isOver = order.intentId === null && order.endsAt <= now;
      return reason === undefined || !isOver ? [] : [{ order, to: 'expired', reason }];
    });
    return await changeOrders(transaction, changes, context);
  });
  metrics.onOrdersEnded(ended);
  return ended.length;
}
