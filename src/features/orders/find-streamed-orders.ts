import type { Queryable } from '../../db/client.ts';
import { orderColumns, orderSource } from './order-rows.ts';
import type { OrderRow } from './record.ts';
import { liveOrderStatuses } from './state.ts';

/** Orders by id, of any account. */
export async function findStreamedOrders(db: Queryable, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  return db<OrderRow[]>`
    select ${orderColumns(db)} from ${orderSource(db)} where o.id = any(${ids as string[]}::uuid[])`;
}

/** Orders of an account that have not ended, newest last, at most `limit` of the newest. */
export async function findLiveOrders(db: Queryable, accountId: string, limit: number): Promise<OrderRow[]> {
  const rows = await db<OrderRow[]>`
    select ${orderColumns(db)} from ${orderSource(db)}
    where o.account_id = ${accountId}::uuid and o.status in ${db(liveOrderStatuses)}
    order by o.id desc limit ${limit}`;
  return [...rows].reverse();
}
