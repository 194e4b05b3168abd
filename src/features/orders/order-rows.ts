import { type AccountListPosition, BEFORE_NEWEST } from '../../db/account-list.ts';
import type { Queryable, Transaction } from '../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../db/keyset-page.ts';
import type { Reader } from '../../db/look-ups.ts';
import type { orders, orderTransactions } from '../../db/schema/orders.ts';
import { orderStatuses } from '../../db/values/orders.ts';
import { landingColumns } from '../../intents/land/landing.ts';
import { type OrderRow, toOrder } from './record.ts';
import type { Order } from './schema.ts';
import { liveOrderStatuses, type OrderStatus } from './state.ts';

/** What is known of an order when it is stored. */
export type NewOrderRow = Pick<
  typeof orders.$inferSelect,
  | 'id'
  | 'accountId'
  | 'slotId'
  | 'walletAddress'
  | 'nonceAddress'
  | 'nonce'
  | 'ocoGroup'
  | 'mintAddress'
  | 'side'
  | 'amountRaw'
  | 'limitRaw'
  | 'slippageBps'
  | 'triggerPrice'
  | 'triggerWhen'
  | 'triggerOf'
  | 'sendRoute'
  | 'priorityLevel'
  | 'tipLamports'
  | 'expiresAt'
  | 'endsAt'
  | 'createdAt'
>;
type TransactionRow = typeof orderTransactions.$inferSelect;

/** SQL: the columns of an OrderRow, from `orderSource`. */
export function orderColumns(sql: Reader) {
  return sql`
    o.id, o.account_id, o.slot_id, o.wallet_address, o.nonce_address, o.nonce, o.oco_group, o.mint_address, o.side,
    o.amount_raw, o.limit_raw, o.slippage_bps, o.trigger_price, o.trigger_when, o.trigger_of, o.send_route,
    o.priority_level, o.tip_lamports, o.status, o.version, o.reason, o.refusal, o.expires_at, o.ends_at, o.created_at,
    o.opened_at, o.triggered_at, o.trigger_trade_id, o.trigger_slot, o.trigger_observed_price, o.attempts,
    o.next_attempt_at, o.intent_id, o.advance_intent_id, o.completed_at, i.transaction_signature, ${landingColumns(sql)},
    coalesce((select json_agg(json_build_object('id', t.id, 'venue', t.venue, 'signed', t.signed_at is not null)
        order by t.venue desc)
      from order_transactions t where t.order_id = o.id), '[]') as transactions`;
}

/** SQL: orders `o` with the intent `i` that sent them and its landing `l`. */
export function orderSource(sql: Reader) {
  return sql`orders o left join transaction_intents i on i.id = o.intent_id
    left join intent_landings l on l.intent_id = o.intent_id`;
}

/** Names an order of an account. */
export interface OrderKey {
  orderId: string;
  accountId: string;
}

/** The order of an account, or null. */
export async function findOrder(db: Reader, { orderId, accountId }: OrderKey): Promise<OrderRow | null> {
  const [row] = await db<OrderRow[]>`
    select ${orderColumns(db)} from ${orderSource(db)}
    where o.id = ${orderId}::uuid and o.account_id = ${accountId}::uuid`;
  return row ?? null;
}

/** The order of an account, locked until the transaction ends, or null. */
export async function lockOrder(
  transaction: Transaction,
  { orderId, accountId }: OrderKey,
): Promise<OrderRow | null> {
  const [row] = await transaction<OrderRow[]>`
    select ${orderColumns(transaction)} from ${orderSource(transaction)}
    where o.id = ${orderId}::uuid and o.account_id = ${accountId}::uuid for no key update of o`;
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

/** The transactions of an order: that of today's pool first. */
export async function listOrderTransactions(db: Reader, orderId: string): Promise<readonly TransactionRow[]> {
  return await db<TransactionRow[]>`
    select id, order_id, venue, prepared_transaction, signature_offset, message_hash, policy, quote, sending,
      sealed_transaction, signed_at
    from order_transactions where order_id = ${orderId}::uuid order by venue desc`;
}

/** Orders of an account that have not ended: all of them, and those of a token. The account must be locked. */
export async function countLiveOrders(
  transaction: Transaction,
  accountId: string,
  mintAddress: string,
): Promise<{ all: number; ofToken: number }> {
  const [row] = await transaction<{ all: number; ofToken: number }[]>`
    select count(*)::int as all, count(*) filter (where mint_address = ${mintAddress})::int as of_token from orders
    where account_id = ${accountId}::uuid and status = any(${[...liveOrderStatuses]}::text[])`;
  return row ?? { all: 0, ofToken: 0 };
}

/** An order that has not ended and keeps one of another group out of its slot; null if there is none. */
export async function findOtherInSlot(
  transaction: Transaction,
  slotId: string,
  ocoGroup: string | null,
): Promise<string | null> {
  const [row] = await transaction<{ id: string }[]>`
    select id from orders where slot_id = ${slotId}::uuid and status in ('unsigned', 'open', 'triggered')
      and (oco_group is null or oco_group is distinct from ${ocoGroup}::text)
    order by id limit 1`;
  return row?.id ?? null;
}

export async function insertOrder(
  transaction: Transaction,
  row: NewOrderRow,
  transactions: readonly TransactionRow[],
): Promise<void> {
  await transaction`insert into orders ${transaction({ ...row, status: 'unsigned', version: 1 })}`;
  for (const { policy, quote, sending, ...columns } of transactions) {
    const shapes = {
      policy: transaction.json({ ...policy }),
      quote: transaction.json({ ...quote }),
      sending: transaction.json({ ...sending }),
    };
    await transaction`insert into order_transactions ${transaction({ ...columns, ...shapes })}`;
  }
}

export async function updateSignatures(
  transaction: Transaction,
  signed: readonly { id: string; sealed: Uint8Array }[],
  now: Date,
): Promise<void> {
  for (const { id, sealed } of signed)
    await transaction`
      update order_transactions set sealed_transaction = ${sealed}, signed_at = ${now} where id = ${id}::uuid`;
}

export async function updateAdvanceIntent(
  transaction: Transaction,
  orderId: string,
  intentId: string,
): Promise<void> {
  await transaction`update orders set advance_intent_id = ${intentId}::uuid where id = ${orderId}::uuid`;
}

/** Wallets of the keys of an account. */
export async function listAccountWallets(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db<{ walletAddress: string }[]>`
    select distinct wallet_address from api_keys where account_id = ${accountId}::uuid`;
  return rows.map(({ walletAddress }) => walletAddress);
}

export interface OrderListPage {
  status?: OrderStatus | undefined;
  mint?: string | undefined;
  limit: number;
  after?: AccountListPosition | undefined;
}

/**
 * Orders of an account, newest first. Each status is read separately by its own range of an index, and merged: as
 * in `accountPageIds`.
 */
export async function listOrders(
  db: Queryable,
  accountId: string,
  { status, mint, limit, after = BEFORE_NEWEST }: OrderListPage,
): Promise<KeysetPage<Order, AccountListPosition>> {
  const statuses = status === undefined ? [...orderStatuses] : [status];
  const [beforeId] = after;
  const rows = await db<OrderRow[]>`
    select ${orderColumns(db)} from ${orderSource(db)}
    where o.id = any(array(
      select record.id from unnest(${statuses}::text[]) as wanted (status)
      cross join lateral (
        select id from orders
        where account_id = ${accountId}::uuid ${mint === undefined ? db`` : db`and mint_address = ${mint}`}
          and (status, id) < (wanted.status, ${beforeId}::uuid) and status >= wanted.status
        order by status desc, id desc limit ${limit + 1}
      ) as record
      order by record.id desc limit ${limit + 1}
    ))
    order by o.id desc`;
  return keysetPage(rows, limit, toOrder, ({ id }) => [id]);
}
