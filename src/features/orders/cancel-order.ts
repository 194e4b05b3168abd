import { advanceNonce } from '../../chain/transactions/nonce-instructions.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { automaticSending } from '../../intents/sending.ts';
import { Problem } from '../../shared/problem.ts';
import { changeOrder, type OrderChangeContext } from './change-orders.ts';
import { findOrder, lockOrder, type OrderKey, updateAdvanceIntent } from './order-rows.ts';
import { readNonceNow } from './read-nonce.ts';
import type { OrderRow } from './record.ts';
import type { MissingAdvance } from './schema.ts';
import { composeSlotIntent, type SlotDependencies, type SlotIntent } from './slots/slot-transaction.ts';
import { isOrderEnded } from './state.ts';

export interface CancelDependencies extends SlotDependencies, OrderChangeContext {
  database: Database;
}

export interface CancelledOrder {
  order: OrderRow;
  advance: SlotIntent | MissingAdvance;
}

/** The stop of an order does not wait longer for the intent. */
const ADVANCE_MS = 2_000;

/** Prepares the intent that makes the signatures of an order worthless, or says why there is none. Takes two seconds at most. */
export async function prepareAdvance(
  key: OrderKey,
  dependencies: CancelDependencies,
): Promise<SlotIntent | MissingAdvance> {
  const late = Promise.withResolvers<MissingAdvance>();
  const timer = setTimeout(() => late.resolve('chain_unavailable'), ADVANCE_MS);
  try {
    return await Promise.race([composeAdvance(key, dependencies), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function composeAdvance(
  key: OrderKey,
  dependencies: CancelDependencies,
): Promise<SlotIntent | MissingAdvance> {
  const order = await findOrder(dependencies.database, key);
  if (order === null || !isSigned(order)) return 'nothing_signed';
  const { accountId, walletAddress, nonceAddress } = order;
  const seen = await readNonceNow(nonceAddress, dependencies);
  if (seen instanceof Problem) return 'chain_unavailable';
  const { account } = seen;
  if (account?.authority !== walletAddress || account.nonce !== order.nonce) return 'nonce_spent';
  const intent = await composeSlotIntent(
    {
      accountId,
      walletAddress,
      kind: 'order_slot_advance',
      instructions: [advanceNonce(nonceAddress, walletAddress)],
      sending: automaticSending,
    },
    dependencies,
  );
  if (!(intent instanceof Problem)) return intent;
  return intent.code === 'chain_unavailable' ? 'chain_unavailable' : 'refused';
}

/**
 * Stops an order at once, and stores the intent that advances its nonce. An order that ended without being sent stays as
 * it is: the wallet may still want to advance its nonce. Throws `order_not_found`, and `order_not_cancellable` for one
 * that was sent or can never land.
 */
export async function cancelOrder(
  transaction: Transaction,
  key: OrderKey,
  advance: SlotIntent | MissingAdvance,
  dependencies: CancelDependencies,
): Promise<CancelledOrder> {
  const locked = await lockOrder(transaction, key);
  if (locked === null) throw new Problem('order_not_found');
  const { status, intentId } = locked;
  if (intentId !== null || status === 'landed' || status === 'voided')
    throw new Problem('order_not_cancellable', { context: { status } });
  if (typeof advance === 'string' || !isSigned(locked)) {
    const missing = isSigned(locked) && typeof advance === 'string' ? advance : 'nothing_signed';
    return { order: await stop(transaction, locked, dependencies), advance: missing };
  }
  await dependencies.intentKeeper.store(transaction, advance.intent);
  await updateAdvanceIntent(transaction, locked.id, advance.intent.id);
  const order = await stop(transaction, { ...locked, advanceIntentId: advance.intent.id }, dependencies);
  return { order, advance };
}

async function stop(
  transaction: Transaction,
  order: OrderRow,
  context: OrderChangeContext,
): Promise<OrderRow> {
  if (isOrderEnded(order.status)) return order;
  const cancelled = await changeOrder(transaction, { order, to: 'cancelled', reason: 'requested' }, context);
  if (cancelled === null) throw new Error('a locked order has changed');
  return cancelled;
}

function isSigned({ transactions }: OrderRow): boolean {
  return transactions.some(({ signed }) => signed);
}
