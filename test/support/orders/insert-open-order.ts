import type { Database } from '../../../src/db/client.ts';
import type { WaitingOrder } from '../../../src/indexer/market/order-crossings.ts';
import { createTestKey } from '../api/api-keys.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { insertSlot } from './insert-slot.ts';

/** Who owns an order, and its slot. */
export interface OrderOwner {
  accountId: string;
  slotId: string;
}

export async function createOrderOwner(db: Database): Promise<OrderOwner> {
  const { accountId } = await createTestKey(db);
  return { accountId, slotId: await insertSlot(db, { accountId, status: 'ready' }) };
}

/** What ingest looks at, of an order that sells below a price. */
export interface OpenOrder extends Pick<WaitingOrder, 'mintAddress'> {
  triggerOf?: WaitingOrder['triggerOf'];
  triggerWhen?: WaitingOrder['triggerWhen'];
  triggerPrice?: string;
  openedAt?: Date;
}

/** Inserts a signed order that waits for its price. It has no transaction to send. Returns its id. */
export async function insertOpenOrder(
  db: Database,
  { accountId, slotId }: OrderOwner,
  order: OpenOrder,
): Promise<string> {
  const { mintAddress, triggerOf = 'trade', triggerWhen = 'at_or_below', triggerPrice = '0.5' } = order;
  const { openedAt = new Date() } = order;
  const id = Bun.randomUUIDv7();
  await db`
    insert into orders (id, account_id, slot_id, wallet_address, nonce_address, nonce, mint_address, side, amount_raw,
      limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version, expires_at, ends_at,
      created_at, opened_at)
    values (${id}, ${accountId}, ${slotId}, ${newAddress()}, ${newAddress()}, ${newAddress()}, ${mintAddress}, 'sell', '1000',
      '1', ${triggerPrice}, ${triggerWhen}, ${triggerOf}, 'fast', 0, 'open', 2, now() + interval '1 day',
      now() + interval '1 day', ${openedAt}, ${openedAt})`;
  return id;
}
