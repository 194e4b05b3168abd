import { type AccountListPosition, BEFORE_NEWEST } from '../../../db/account-list.ts';
import type { Queryable, Transaction } from '../../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import type { Reader } from '../../../db/look-ups.ts';
import type { OrderSlot } from './schema.ts';
import type { OrderSlotStatus } from './state.ts';

/** A row of `order_slots`. */
export interface OrderSlotRow {
  id: string;
  accountId: string;
  intentId: string | null;
  closingIntentId: string | null;
  nonceAddress: string;
  walletAddress: string;
  status: OrderSlotStatus;
  nonce: string | null;
  readSlot: bigint | null;
  createdAt: Date;
  completedAt: Date | null;
}

function slotColumns(sql: Reader) {
  return sql`id, account_id, intent_id, closing_intent_id, nonce_address, wallet_address, status, nonce, read_slot,
    created_at, completed_at`;
}

/** Slots of an account, newest first. */
export async function listOrderSlots(
  db: Queryable,
  accountId: string,
  { limit, after = BEFORE_NEWEST }: { limit: number; after?: AccountListPosition | undefined },
): Promise<KeysetPage<OrderSlot, AccountListPosition>> {
  const [beforeId] = after;
  const rows = await db<OrderSlotRow[]>`
    select ${slotColumns(db)} from order_slots
    where account_id = ${accountId}::uuid and id < ${beforeId}::uuid
    order by account_id desc, id desc limit ${limit + 1}`;
  return keysetPage(rows, limit, toOrderSlot, ({ id }) => [id]);
}

/** The slot of an account, or null. */
export async function findOrderSlot(
  db: Reader,
  slotId: string,
  accountId: string,
): Promise<OrderSlotRow | null> {
  const [row] = await db<OrderSlotRow[]>`
    select ${slotColumns(db)} from order_slots where id = ${slotId}::uuid and account_id = ${accountId}::uuid`;
  return row ?? null;
}

/** The same for an order that the transaction stores: nobody closes the slot before its end. */
export async function lockOrderSlot(
  transaction: Transaction,
  slotId: string,
  accountId: string,
): Promise<OrderSlotRow | null> {
  const [row] = await transaction<OrderSlotRow[]>`
    select ${slotColumns(transaction)} from order_slots
    where id = ${slotId}::uuid and account_id = ${accountId}::uuid for share`;
  return row ?? null;
}

/** Slots of the account that are not closed. The account must be locked. */
export async function countOpenSlots(transaction: Transaction, accountId: string): Promise<number> {
  const [row] = await transaction<{ count: number }[]>`
    select count(*)::int as count from order_slots
    where account_id = ${accountId}::uuid and status in ('pending', 'ready')`;
  return row?.count ?? 0;
}

/** Inserts a slot. Returns the id of an open one of the account with the same nonce account instead, if there is one. */
export async function insertOrderSlot(transaction: Transaction, row: OrderSlotRow): Promise<string | null> {
  const [open] = await transaction<{ id: string }[]>`
    select id from order_slots where account_id = ${row.accountId}::uuid
      and nonce_address = ${row.nonceAddress} and status in ('pending', 'ready')`;
  if (open !== undefined) return open.id;
  await transaction`insert into order_slots ${transaction({ ...row, dueAt: row.createdAt })}`;
  return null;
}

/** Notes the intent that returns the rent, and has a worker look at once. Null when the slot is not ready. */
export async function updateClosingIntent(
  transaction: Transaction,
  { slotId, accountId, intentId, now }: { slotId: string; accountId: string; intentId: string; now: Date },
): Promise<OrderSlotRow | null> {
  const [row] = await transaction<OrderSlotRow[]>`
    update order_slots set closing_intent_id = ${intentId}::uuid, due_at = ${now}
    where id = ${slotId}::uuid and account_id = ${accountId}::uuid and status = 'ready'
    returning ${slotColumns(transaction)}`;
  return row ?? null;
}

export function toOrderSlot(row: OrderSlotRow): OrderSlot {
  return {
    id: row.id,
    nonceAddress: row.nonceAddress,
    walletAddress: row.walletAddress,
    status: row.status,
    nonce: row.nonce,
    readSlot: row.readSlot === null ? null : row.readSlot.toString(),
    intentId: row.intentId,
    closingIntentId: row.closingIntentId,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
