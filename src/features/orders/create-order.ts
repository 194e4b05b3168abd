import type { BuildDependencies } from '../../chain/transactions/build-transaction.ts';
import { lockAccount } from '../../db/account-lock.ts';
import type { Database, Transaction } from '../../db/client.ts';
import type { WorkerKeys } from '../../db/worker-keys.ts';
import { type SendingDependencies, storedSending, takeTip } from '../../intents/sending.ts';
import type { WaitingPoolSource } from '../../intents/waiting-swap.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';
import { timedId } from '../../shared/timed-id.ts';
import { countLiveOrders, findOtherInSlot, insertOrder, type NewOrderRow } from './order-rows.ts';
import { composeTransaction, type OrderTransactionRow, type TransactionPlan } from './order-transaction.ts';
import { readNonceNow } from './read-nonce.ts';
import { endOf, limitOf, type OrderRequest, requireAmount, requirePrice } from './requested-order.ts';
import { findOrderSlot, lockOrderSlot, type OrderSlotRow } from './slots/slot-rows.ts';
import { worthAt } from './trigger-limit.ts';

export interface OrderDependencies extends BuildDependencies, SendingDependencies {
  database: Database;
  waitingPools: WaitingPoolSource;
  workerKeys: Pick<WorkerKeys, 'openOrders'>;
}

/** An order that is ready to be stored. */
export interface PreparedOrder {
  row: NewOrderRow;
  transactions: OrderTransactionRow[];
}

const SIGNING_MS = unpublishedLimits.orderSigningMinutes * 60_000;

/** Prepares the transactions of an order, or returns the problem that prevents it. */
export async function prepareOrder(
  request: OrderRequest,
  dependencies: OrderDependencies,
): Promise<PreparedOrder | Problem> {
  try {
    return await composeOrder(request, dependencies);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

async function composeOrder(request: OrderRequest, dependencies: OrderDependencies): Promise<PreparedOrder> {
  const { accountId, slotId, mint, side, amountRaw, trigger, oco, sending } = request;
  const now = dependencies.clock.now();
  const expiresAt = endOf(request, now);
  requirePrice(trigger.price);
  requireAmount('amountRaw', amountRaw);
  const tip = takeTip(sending, dependencies);
  if (tip instanceof Problem) throw tip;
  const slot = await findOrderSlot(dependencies.database, slotId, accountId);
  if (slot === null) throw new Problem('order_slot_not_found');
  requireReady(slot);
  const [seen, pools, isOpened] = await Promise.all([
    readNonceNow(slot.nonceAddress, dependencies, slot.readSlot),
    dependencies.waitingPools(mint, accountId),
    dependencies.workerKeys.openOrders(),
  ]);
  if (!isOpened) throw new Problem('orders_unavailable');
  if (seen instanceof Problem) throw seen;
  // The wallet has closed it, or given it to another authority; a worker will see it too.
  const nonceAccount = seen.account;
  if (nonceAccount?.authority !== slot.walletAddress)
    throw new Problem('order_slot_not_ready', { context: { status: 'closed' } });
  const worthRaw = worthAt({ side, amountRaw, price: trigger.price, decimals: pools.decimals });
  const limitRaw = limitOf(request, worthRaw);
  const id = timedId(now);
  const plan: TransactionPlan = {
    ...request,
    slot,
    nonce: nonceAccount.nonce,
    limitRaw,
    worthRaw,
    tip,
    pools,
  };
  const transactions = await Promise.all(
    pools.pools.map((pool, at) => composeTransaction(plan, { orderId: id, pool, at }, dependencies)),
  );
  const row: NewOrderRow = {
    id,
    accountId,
    slotId,
    walletAddress: slot.walletAddress,
    nonceAddress: slot.nonceAddress,
    nonce: nonceAccount.nonce,
    ocoGroup: oco,
    mintAddress: mint,
    side,
    amountRaw: String(amountRaw),
    limitRaw: String(limitRaw),
    slippageBps: request.slippageBps,
    triggerPrice: trigger.price,
    triggerWhen: trigger.when,
    triggerOf: trigger.of,
    ...storedSending(sending),
    tipLamports: tip?.lamports ?? 0n,
    expiresAt,
    endsAt: new Date(Math.min(expiresAt.getTime(), now.getTime() + SIGNING_MS)),
    createdAt: now,
  };
  return { row, transactions };
}

function requireReady({ status }: OrderSlotRow): void {
  if (status !== 'ready') throw new Problem('order_slot_not_ready', { context: { status } });
}

/**
 * Stores a prepared order. Throws `order_limit_reached`, `order_slot_in_use`, and what has changed about the slot
 * meanwhile.
 */
export async function createOrder(
  transaction: Transaction,
  { row, transactions }: PreparedOrder,
): Promise<void> {
  const { accountId, slotId, mintAddress, ocoGroup } = row;
  await lockAccount(transaction, accountId);
  const slot = await lockOrderSlot(transaction, slotId, accountId);
  if (slot === null) throw new Problem('order_slot_not_found');
  requireReady(slot);
  const { all, ofToken } = await countLiveOrders(transaction, accountId, mintAddress);
  const { openOrdersPerAccount, openOrdersPerToken } = unpublishedLimits;
  if (all >= openOrdersPerAccount) throw limitReached('account', openOrdersPerAccount);
  if (ofToken >= openOrdersPerToken) throw limitReached('token', openOrdersPerToken);
  const other = await findOtherInSlot(transaction, slotId, ocoGroup);
  if (other !== null) throw new Problem('order_slot_in_use', { context: { orderId: other } });
  await insertOrder(transaction, row, transactions);
}

function limitReached(of: 'account' | 'token', limit: number): Problem {
  return new Problem('order_limit_reached', { context: { of, limit } });
}
