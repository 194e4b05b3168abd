import { createHash } from 'node:crypto';
import { COMPUTE_BUDGET, SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { readTransaction } from '../../chain/transaction-reader.ts';
import type { BuildDependencies } from '../../chain/transactions/build-transaction.ts';
import { compileTransaction } from '../../chain/transactions/compile-transaction.ts';
import { advanceNonce } from '../../chain/transactions/nonce-instructions.ts';
import { boundedPrice, priceOf } from '../../chain/transactions/priority.ts';
import { type Tip, tipInstructions } from '../../chain/transactions/tip.ts';
import { lockAccount } from '../../db/account-lock.ts';
import type { Database, Transaction } from '../../db/client.ts';
import type { orderTransactions } from '../../db/schema/orders.ts';
import type { orderTriggerPrices, orderTriggerSides } from '../../db/values/orders.ts';
import type { IntentQuote } from '../../db/values/transaction-intents.ts';
import type { WorkerKeys } from '../../db/worker-keys.ts';
import { referenceOf } from '../../intents/reference.ts';
import {
  type SendingDependencies,
  type SendingOrder,
  storedSending,
  takeTip,
  toSending,
} from '../../intents/sending.ts';
import type { WaitingPool, WaitingPoolSource, WaitingPools } from '../../intents/waiting-swap.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { type DecimalString, PRICE_FRACTION_DIGITS } from '../../shared/decimal.ts';
import { type FieldError, Problem } from '../../shared/problem.ts';
import { timedId } from '../../shared/timed-id.ts';
import { countLiveOrders, findOtherInSlot, insertOrder, type NewOrderRow } from './order-rows.ts';
import { readNonceNow } from './read-nonce.ts';
import { findOrderSlot, type OrderSlotRow } from './slots/slot-rows.ts';
import { lessSlippage, worthAt } from './trigger-limit.ts';

export interface OrderDependencies extends BuildDependencies, SendingDependencies {
  database: Database;
  waitingPools: WaitingPoolSource;
  workerKeys: Pick<WorkerKeys, 'openOrders'>;
}

export interface OrderRequest {
  accountId: string;
  slotId: string;
  mint: string;
  side: 'buy' | 'sell';
  amountRaw: bigint;
  trigger: {
    price: DecimalString;
    when: (typeof orderTriggerSides)[number];
    of: (typeof orderTriggerPrices)[number];
  };
  /** Exactly one of the two is given. */
  limitRaw: bigint | null;
  slippageBps: number | null;
  oco: string | null;
  /** Null for the longest time. */
  expiresAt: Date | null;
  sending: SendingOrder;
}

export type OrderTransactionRow = typeof orderTransactions.$inferSelect;

/** An order that is ready to be stored. */
export interface PreparedOrder {
  row: NewOrderRow;
  transactions: OrderTransactionRow[];
}

/**
 * Units of a swap that waits: about three times what one takes that opens both accounts of the wallet and walks over
 * several stretches of a curve. No simulation measures it, because the price is not there yet.
 */
const COMPUTE_UNITS = 200_000;
const U64_MAX = 2n ** 64n - 1n;
const WHOLE_DIGITS = 12;
const MINUTE_MS = 60_000;
const EXPIRES_MIN_MS = MINUTE_MS;
const EXPIRES_MAX_MS = unpublishedLimits.orderDays * 24 * 60 * MINUTE_MS;
const SIGNING_MS = unpublishedLimits.orderSigningMinutes * MINUTE_MS;

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
  const [nonce, pools, isOpened] = await Promise.all([
    readNonceNow(slot.nonceAddress, dependencies, slot.readSlot),
    dependencies.waitingPools(mint, accountId),
    dependencies.workerKeys.openOrders(),
  ]);
  if (!isOpened) throw new Problem('orders_unavailable');
  if (nonce instanceof Problem) throw nonce;
  // The wallet has closed it, or given it to another authority; a worker will see it too.
  if (nonce?.authority !== slot.walletAddress)
    throw new Problem('order_slot_not_ready', { context: { status: 'closed' } });
  const worthRaw = worthAt({ side, amountRaw, price: trigger.price, decimals: pools.decimals });
  const limitRaw = limitOf(request, worthRaw);
  const id = timedId(now);
  const plan: TransactionPlan = { ...request, slot, nonce: nonce.nonce, limitRaw, worthRaw, tip, pools };
  const transactions = await Promise.all(
    pools.pools.map((pool, at) => composeTransaction(plan, { orderId: id, pool, at }, dependencies)),
  );
  const row: NewOrderRow = {
    id,
    accountId,
    slotId,
    walletAddress: slot.walletAddress,
    nonceAddress: slot.nonceAddress,
    nonce: nonce.nonce,
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

interface TransactionPlan extends OrderRequest {
  slot: OrderSlotRow;
  nonce: string;
  limitRaw: bigint;
  /** The output at the price of the trigger. */
  worthRaw: bigint;
  tip: Tip | null;
  pools: WaitingPools;
}

/** The transaction of an order at one pool: the advance of the nonce, then the swap. */
async function composeTransaction(
  plan: TransactionPlan,
  { orderId, pool, at }: { orderId: string; pool: WaitingPool; at: number },
  dependencies: OrderDependencies,
): Promise<OrderTransactionRow> {
  const { slot, nonce, side, amountRaw, limitRaw, tip, sending } = plan;
  const { walletAddress: wallet, nonceAddress } = slot;
  const { priority } = sending;
  const id = timedId(dependencies.clock.now());
  const instructions = [
    ...(await pool.instructions({ wallet, side, amountRaw, limitRaw, reference: referenceOf(id) })),
    ...tipInstructions(wallet, tip),
  ];
  const units = {
    computeUnitLimit: COMPUTE_UNITS,
    computeUnitPrice: await priceOf(priority, pool.writtenAccounts, dependencies),
    priorityLamportsMax: priority.lamportsMax,
  };
  const bytes = compileTransaction({
    version: 'v0',
    feePayer: wallet,
    advance: advanceNonce(nonceAddress, wallet),
    instructions,
    blockhash: nonce,
    ...units,
  });
  const view = readTransaction(bytes);
  if (view === null || view.signatureCount !== 1)
    throw new Error(`transaction ${at} of an order has ${bytes.byteLength} bytes, and cannot be read`);
  const message = bytes.subarray(view.messageOffset, view.messageOffset + view.messageLength);
  const called = instructions.map(({ program }) => program);
  const built = {
    version: 'v0',
    computeUnitLimit: COMPUTE_UNITS,
    computeUnitPrice: boundedPrice(units),
  } as const;
  return {
    id,
    orderId,
    venue: pool.venue,
    preparedTransaction: bytes,
    signatureOffset: view.signaturesOffset,
    messageHash: createHash('sha256').update(message).digest(),
    policy: {
      allowedPrograms: [...new Set([SYSTEM_PROGRAM, COMPUTE_BUDGET, ...called])],
      maxComputeUnitPrice: String(dependencies.maxComputeUnitPrice),
      requireSimulation: true,
    },
    quote: quoteOf(plan),
    sending: toSending(sending, built, tip),
    sealedTransaction: null,
    signedAt: null,
  };
}

/** The quote of the intent that sends the order: what the amount is worth at the price of the trigger. */
function quoteOf({
  side,
  mint,
  amountRaw,
  worthRaw,
  limitRaw,
  slippageBps,
  pools,
}: TransactionPlan): IntentQuote {
  const [inputMint, outputMint] = side === 'buy' ? [WRAPPED_SOL_MINT, mint] : [mint, WRAPPED_SOL_MINT];
  return {
    side,
    mode: 'exact-in',
    inputMint,
    outputMint,
    inputRaw: String(amountRaw),
    outputRaw: String(worthRaw),
    slippageBps,
    minimumOutputRaw: String(limitRaw),
    maximumInputRaw: null,
    slot: String(pools.slot),
  };
}

function endOf({ expiresAt }: OrderRequest, now: Date): Date {
  const latest = new Date(now.getTime() + EXPIRES_MAX_MS);
  if (expiresAt === null) return latest;
  if (expiresAt.getTime() < now.getTime() + EXPIRES_MIN_MS)
    throw refused('expiresAt', 'out_of_range', 'must be at least a minute ahead');
  if (expiresAt > latest)
    throw refused('expiresAt', 'out_of_range', `must be at most ${unpublishedLimits.orderDays} days ahead`);
  return expiresAt;
}

function limitOf({ limitRaw, slippageBps }: OrderRequest, worthRaw: bigint): bigint {
  if (limitRaw !== null && slippageBps !== null)
    throw refused('limitRaw', 'invalid_value', 'must not be given together with slippageBps');
  if (limitRaw !== null) {
    requireAmount('limitRaw', limitRaw);
    return limitRaw;
  }
  if (slippageBps === null) throw refused('slippageBps', 'required', 'is required, unless limitRaw is given');
  const limit = lessSlippage(worthRaw, slippageBps);
  if (limit === 0n)
    throw refused('amountRaw', 'out_of_range', 'is worth nothing at the price of the trigger');
  if (limit > U64_MAX)
    throw refused(
      'amountRaw',
      'out_of_range',
      'is worth more at the price of the trigger than a swap can give',
    );
  return limit;
}

/** The bounds of every price that is published: more digits would name no price that a trade can have. */
function requirePrice(price: DecimalString): void {
  const [whole = '', fraction = ''] = price.split('.');
  if (price === '0') throw refused('trigger/price', 'out_of_range', 'must not be 0');
  if (whole.length > WHOLE_DIGITS || fraction.length > PRICE_FRACTION_DIGITS)
    throw refused(
      'trigger/price',
      'out_of_range',
      `must have at most ${WHOLE_DIGITS} digits before the point and ${PRICE_FRACTION_DIGITS} after it`,
    );
}

function requireAmount(field: 'amountRaw' | 'limitRaw', raw: bigint): void {
  if (raw === 0n) throw refused(field, 'out_of_range', 'must be at least 1');
  if (raw > U64_MAX) throw refused(field, 'out_of_range', `must be at most ${U64_MAX}`);
}

function refused(field: string, code: FieldError['code'], message: string): Problem {
  return new Problem('validation_failed', { errors: [{ path: `/body/${field}`, code, message }] });
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
  const slot = await findOrderSlot(transaction, slotId, accountId);
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
