import { createHash } from 'node:crypto';
import { COMPUTE_BUDGET, SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { readTransaction } from '../../chain/transaction-reader.ts';
import type { BuildDependencies } from '../../chain/transactions/build-transaction.ts';
import { compileTransaction } from '../../chain/transactions/compile-transaction.ts';
import { advanceNonce } from '../../chain/transactions/nonce-instructions.ts';
import { boundedPrice, priceOf } from '../../chain/transactions/priority.ts';
import { type Tip, tipInstructions } from '../../chain/transactions/tip.ts';
import type { orderTransactions } from '../../db/schema/orders.ts';
import type { IntentQuote } from '../../db/values/transaction-intents.ts';
import { referenceOf } from '../../intents/reference.ts';
import { toSending } from '../../intents/sending.ts';
import type { WaitingPool, WaitingPools } from '../../intents/waiting-swap.ts';
import { timedId } from '../../shared/timed-id.ts';
import type { OrderRequest } from './requested-order.ts';
import type { OrderSlotRow } from './slots/slot-rows.ts';

export type OrderTransactionRow = typeof orderTransactions.$inferSelect;

/** What the transactions of an order share. */
export interface TransactionPlan extends OrderRequest {
  slot: OrderSlotRow;
  nonce: string;
  limitRaw: bigint;
  /** The output at the price of the trigger. */
  worthRaw: bigint;
  tip: Tip | null;
  pools: WaitingPools;
}

/**
 * Units of a swap that waits: about three times what one takes that opens both accounts of the wallet and walks over
 * several stretches of a curve. No simulation measures it, because the price is not there yet.
 */
const COMPUTE_UNITS = 200_000;

/** The transaction of an order at one pool: the advance of the nonce, then the swap. */
export async function composeTransaction(
  plan: TransactionPlan,
  { orderId, pool, at }: { orderId: string; pool: WaitingPool; at: number },
  dependencies: BuildDependencies,
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
