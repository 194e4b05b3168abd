import { readNonceAccount } from '../../../chain/accounts/nonce-account.ts';
import type { Queryable, Transaction } from '../../../db/client.ts';
import { changeOrders, type OrderChange, type OrderChangeContext } from '../change-orders.ts';
import { lockOrders } from '../order-rows.ts';
import type { OrderRow } from '../record.ts';
import type { OrderReason } from '../state.ts';
import { curveProgress } from './claim-orders.ts';
import type { EndContext } from './end-orders.ts';
import { isNonceSpent, type NonceReading, type SignedNonce } from './read-nonces.ts';

/** How long after its migration a token is looked at. The send of an order looks itself, however late. */
const MIGRATED_DAYS = 1;

interface SignedOrder extends SignedNonce {
  id: string;
}

/**
 * Ends the orders of these slots whose nonce something else has spent, by what the nodes show. While an order of a slot is
 * on its way, its end decides about the others.
 * @param nodes number of configured nodes
 */
export async function voidSpentOrders(
  context: EndContext,
  slotIds: readonly string[],
  { readings, nodes }: { readings: readonly NonceReading[]; nodes: number },
): Promise<number> {
  const { db, clock } = context;
  const now = clock.now();
  const orders = await db<SignedOrder[]>`
    select o.id, o.nonce_address, o.nonce, o.created_at from orders o
    where o.slot_id = any(${[...slotIds]}::uuid[]) and ${isUnsent(db)}`;
  const reasons = new Map<string, OrderReason>(
    orders
      .filter((order) => isNonceSpent(order, readings, nodes, now))
      .map((order) => [order.id, isClosed(order, readings) ? 'slot_closed' : 'nonce_spent']),
  );
  return await voidNow(context, reasons);
}

/** The orders of these slots that `isUnsent`. */
export async function listUnsentOfSlots(
  transaction: Transaction,
  slotIds: readonly string[],
): Promise<string[]> {
  if (slotIds.length === 0) return [];
  const rows = await transaction<{ id: string }[]>`
    select o.id from orders o where o.slot_id = any(${[...slotIds]}::uuid[]) and ${isUnsent(transaction)}`;
  return rows.map(({ id }) => id);
}

/** SQL: order `o` is live, and none of its slot is on its way: such a one decides about the others when it ends. */
export function isUnsent(sql: Queryable) {
  return sql`o.status in ('unsigned', 'open', 'triggered') and not exists (
    select from orders s where s.slot_id = o.slot_id and s.status = 'triggered' and s.intent_id is not null)`;
}

function isClosed({ nonceAddress }: SignedNonce, readings: readonly NonceReading[]): boolean {
  return readings.every(({ accounts }) => readNonceAccount(accounts.get(nonceAddress) ?? null) === null);
}

/** Ends up to `limit` open orders of tokens that have left their curve, when nothing for the pool was signed. */
export async function voidMigratedOrders(context: EndContext, limit: number): Promise<number> {
  const { db, clock } = context;
  const since = new Date(clock.now().getTime() - MIGRATED_DAYS * 86_400_000);
  const orders = await db<{ id: string }[]>`
    select o.id from visible_tokens t cross join lateral (
      select id from orders where mint_address = t.mint_address and status = 'open') o
    where t.graduated_at >= ${since}::timestamptz and ${curveProgress(db)} = 'migrated'
      and not exists (
        select from order_transactions s where s.order_id = o.id and s.venue = 'amm' and s.sealed_transaction is not null)
    limit ${limit}`;
  return await voidNow(context, new Map(orders.map(({ id }) => [id, 'migrated'])));
}

async function voidNow(context: EndContext, reasons: ReadonlyMap<string, OrderReason>): Promise<number> {
  if (reasons.size === 0) return 0;
  const { db, metrics } = context;
  const ended = await db.begin((transaction) => voidOrders(transaction, reasons, context));
  metrics.onOrdersEnded(ended);
  return ended.length;
}

/** Ends these orders, except those that have ended or were sent by now. Returns them as they are now. */
export async function voidOrders(
  transaction: Transaction,
  reasons: ReadonlyMap<string, OrderReason>,
  context: OrderChangeContext,
): Promise<OrderRow[]> {
  if (reasons.size === 0) return [];
  const rows = await lockOrders(transaction, [...reasons.keys()]);
  const changes = rows.flatMap((order): OrderChange[] => {
    const reason = reasons.get(order.id);
    const isOpen = order.completedAt === null && order.intentId === null;
    return reason === undefined || !isOpen ? [] : [{ order, to: 'voided', reason }];
  });
  return await changeOrders(transaction, changes, context);
}
