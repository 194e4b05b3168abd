import { landingColumns } from '../../chain/transactions/landing.ts';
import type { Queryable, Transaction } from '../../db/client.ts';
import type { OrderRow } from './record.ts';

/** SQL: the columns of an OrderRow, from `orderSource`. */
export function orderColumns(sql: Queryable) {
  return sql`
    o.id, o.account_id, o.slot_id, o.wallet_address, o.nonce_address, o.nonce, o.oco_group, o.mint_address, o.side,
    o.amount_raw, o.limit_raw, o.slippage_bps, o.trigger_price, o.trigger_when, o.trigger_of, o.send_route,
    o.priority_level, o.tip_lamports, o.status, o.version, o.reason, o.refusal, o.expires_at, o.ends_at, o.created_at,
    o.opened_at, o.triggered_at, o.trigger_trade_id, o.trigger_slot, o.trigger_observed_price, o.attempts,
    o.next_attempt_at, o.intent_id, o.advance_intent_id, o.completed_at, i.transaction_signature, ${landingColumns(sql)},
    array(select json_build_object('id', t.id, 'venue', t.venue, 'signed', t.signed_at is not null)
      from order_transactions t where t.order_id = o.id order by t.id) as transactions`;
}

/** SQL: orders `o` with the intent `i` that sent them and its landing `l`. */
export function orderSource(sql: Queryable) {
  return sql`orders o left join transaction_intents i on i.id = o.intent_id
    left join intent_landings l on l.intent_id = o.intent_id`;
}

/** The order of an account, or null. */
export async function findOrder(
  db: Queryable,
  { orderId, accountId }: { orderId: string; accountId: string },
): Promise<OrderRow | null> {
  const [row] = await db<OrderRow[]>`
    select ${orderColumns(db)} from ${orderSource(db)}
    where o.id = ${orderId}::uuid and o.account_id = ${accountId}::uuid`;
  return row ?? null;
}

/** The orders with these ids, locked in the order of their ids until the transaction ends. */
export async function lockOrders(
  transaction: Transaction,
  orderIds: readonly string[],
): Promise<readonly OrderRow[]> {
  return await transaction<OrderRow[]>`
    select ${orderColumns(transaction)} from ${orderSource(transaction)}
    where o.id = any(${[...orderIds]}::uuid[]) order by o.id for no key update of o`;
}
