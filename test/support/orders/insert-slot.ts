import type { Database } from '../../../src/db/client.ts';
import type { OrderSlotStatus } from '../../../src/features/orders/slots/state.ts';
import { newAddress } from '../market/ingest-stream.ts';

export interface InsertedSlot {
  accountId: string;
  status?: OrderSlotStatus;
  intentId?: string | null;
  closingIntentId?: string | null;
  nonceAddress?: string;
  walletAddress?: string;
  /** When a worker looks at its account. At once if it is unset. */
  dueAt?: Date;
}

/** Inserts a slot. Returns its id. */
export async function insertSlot(db: Database, slot: InsertedSlot): Promise<string> {
  const { status = 'pending', intentId = null, closingIntentId = null } = slot;
  const { accountId, nonceAddress = newAddress(), walletAddress = newAddress() } = slot;
  const { dueAt = new Date('2026-01-01') } = slot;
  const id = Bun.randomUUIDv7();
  const isOpen = status === 'pending' || status === 'ready';
  const nonce = status === 'ready' || status === 'closed' ? newAddress() : null;
  await db`
    insert into order_slots (id, account_id, intent_id, closing_intent_id, nonce_address, wallet_address, status, nonce,
      read_slot, due_at, created_at, completed_at)
    values (${id}, ${accountId}, ${intentId}, ${closingIntentId}, ${nonceAddress}, ${walletAddress}, ${status}, ${nonce},
      ${nonce === null ? null : 1}, ${dueAt}, now(), ${isOpen ? null : new Date()})`;
  return id;
}
