import { withdrawNonce } from '../../../chain/transactions/nonce-instructions.ts';
import type { Database, Transaction } from '../../../db/client.ts';
import type { SendingOrder } from '../../../intents/sending.ts';
import { Problem } from '../../../shared/problem.ts';
import { readNonceNow } from '../read-nonce.ts';
import { findOrderSlot, type OrderSlotRow, updateClosingIntent } from './slot-rows.ts';
import {
  chainUnavailable,
  composeSlotIntent,
  type SlotDependencies,
  type SlotIntent,
} from './slot-transaction.ts';

export interface ClosureRequest {
  slotId: string;
  accountId: string;
  sending: SendingOrder;
}

/** Prepares the return of the rent, or returns the problem that prevents it. */
export async function prepareClosure(
  { slotId, accountId, sending }: ClosureRequest,
  dependencies: SlotDependencies & { database: Database },
): Promise<SlotIntent | Problem> {
  const slot = await findOrderSlot(dependencies.database, slotId, accountId);
  if (slot === null) return new Problem('order_slot_not_found');
  const { status, nonceAddress, walletAddress } = slot;
  if (status !== 'ready') return new Problem('order_slot_not_ready', { context: { status } });
  const seen = await readNonceNow(nonceAddress, dependencies, slot.readSlot);
  if (seen instanceof Problem) return seen;
  const { account, lamports } = seen;
  // The wallet has closed it, or given it to another authority; a worker will see it too.
  if (account?.authority !== walletAddress)
    return new Problem('order_slot_not_ready', { context: { status: 'closed' } });
  if (lamports === null) return chainUnavailable('the balance of the nonce account could not be read');
  const instructions = [withdrawNonce(nonceAddress, walletAddress, lamports)];
  const order = { accountId, walletAddress, kind: 'order_slot_closure', instructions, sending } as const;
  return await composeSlotIntent(order, dependencies);
}

/** Stores the intent and notes it at its slot. Throws `order_slot_not_found` and `order_slot_not_ready`. */
export async function createClosure(
  transaction: Transaction,
  { slotId, accountId }: ClosureRequest,
  { intent }: SlotIntent,
  { intentKeeper, clock }: Pick<SlotDependencies, 'intentKeeper' | 'clock'>,
): Promise<OrderSlotRow> {
  await intentKeeper.store(transaction, intent);
  const closing = { slotId, accountId, intentId: intent.id, now: clock.now() };
  const closed = await updateClosingIntent(transaction, closing);
  if (closed !== null) return closed;
  const slot = await findOrderSlot(transaction, slotId, accountId);
  if (slot === null) throw new Problem('order_slot_not_found');
  throw new Problem('order_slot_not_ready', { context: { status: slot.status } });
}
