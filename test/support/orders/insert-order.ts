import type { Queryable } from '../../../src/db/client.ts';
import { type OrderStatus, orderReasons } from '../../../src/features/orders/state.ts';
import { newAddress } from '../market/ingest-stream.ts';

export interface InsertedOrder {
  accountId: string;
  slotId: string;
  status?: OrderStatus;
  mintAddress?: string;
  walletAddress?: string;
  ocoGroup?: string | null;
  intentId?: string | null;
}

/** As the api stores it for an order without wishes. */
const SENDING = {
  route: 'fast',
  tipService: null,
  tipLamports: '0',
  priorityLevel: null,
  computeUnitLimit: 200_000,
  computeUnitPrice: '0',
  priorityFeeLamports: '0',
};

/** Inserts an order as it is in a state, with a transaction that nothing can send. Returns its id. */
export async function insertOrder(db: Queryable, order: InsertedOrder): Promise<string> {
  const { accountId, slotId, status = 'open', intentId = null, ocoGroup = null } = order;
  const { mintAddress = newAddress(), walletAddress = newAddress() } = order;
  const id = Bun.randomUUIDv7();
  const now = new Date();
  const isOpened = status !== 'unsigned';
  const isTriggered = ['triggered', 'landed', 'failed'].includes(status);
  const isEnded = !['unsigned', 'open', 'triggered'].includes(status);
  const reasons: Partial<Record<OrderStatus, readonly string[]>> = orderReasons;
  await db`
    insert into orders (id, account_id, slot_id, wallet_address, nonce_address, nonce, oco_group, mint_address, side,
      amount_raw, limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version, reason,
      expires_at, ends_at, created_at, opened_at, triggered_at, trigger_trade_id, trigger_slot, trigger_observed_price,
      next_attempt_at, intent_id, completed_at)
    values (${id}, ${accountId}, ${slotId}, ${walletAddress}, ${newAddress()}, ${newAddress()}, ${ocoGroup},
      ${mintAddress}, 'sell', 1000, 1, 0.5, 'at_or_below', 'trade', 'fast', 0, ${status}, 1,
      ${reasons[status]?.[0] ?? null}, now() + interval '1 day', now() + interval '1 day', ${now},
      ${isOpened ? now : null}, ${isTriggered ? now : null}, ${isTriggered ? Bun.randomUUIDv7() : null},
      ${isTriggered ? 1 : null}, ${isTriggered ? '0.4' : null}, ${status === 'triggered' ? now : null}, ${intentId},
      ${isEnded ? now : null})`;
  const hash = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  await db`
    insert into order_transactions (id, order_id, venue, prepared_transaction, signature_offset, message_hash, policy, quote,
      sending, signed_at)
    values (${Bun.randomUUIDv7()}, ${id}, 'curve', '', 0, ${hash}, '{}', '{}', ${db.json(SENDING)}, ${isOpened ? now : null})`;
  return id;
}
