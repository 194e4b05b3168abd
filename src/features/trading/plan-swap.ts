import type { BuildDependencies } from '../../chain/transactions/build-transaction.ts';
import type { WireVersion } from '../../chain/transactions/compile-transaction.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import { priceOf } from '../../chain/transactions/priority.ts';
import { type Tip, tipInstructions } from '../../chain/transactions/tip.ts';
import type { SendingOrder } from '../../intents/sending.ts';
import { accountClient } from '../../shared/gate.ts';
import { Problem } from '../../shared/problem.ts';
import { feeInstructions, requireOther } from './fee-account.ts';
import { findFeeAccount } from './fee-account-rows.ts';
import type { WalletFunds } from './funds.ts';
import type { SnapshotDependencies } from './pool-snapshots.ts';
import { readSwapState } from './read-swap-state.ts';
import { swapInstructions } from './swap-instructions.ts';
import { contestedAccounts } from './swap-pools.ts';
import type { SwapTerms } from './swap-terms.ts';
import { isWithinLimit, poolLimitOf, swapOfWallet, type WalletSwap, walletLimitOf } from './wallet-swap.ts';

/** What a wallet asks for: the terms of its swap, its limit, and how it is sent. */
export interface WalletOrder {
  accountId: string;
  wallet: string;
  mint: string;
  terms: SwapTerms;
  slippageBps: number;
  /** The limit of an earlier quote; null to use the slippage. */
  limitRaw: bigint | null;
  sending: SendingOrder;
  version: WireVersion;
  /** Simulate even if a swap of the same shape was simulated a moment ago. */
  simulate: boolean;
}

/** What a swap carries besides its own instructions. */
export interface SwapExtras {
  /** Makes the bytes unique. */
  reference: string | null;
  tip: Tip | null;
  feeAccount: string | null;
}

/** The instructions of a swap, and what they were made from. */
export interface PlannedSwap {
  swap: WalletSwap;
  /** What the wallet pays or gets, after the platform fee. */
  limitRaw: bigint;
  /** The limit that the program enforces. */
  poolLimitRaw: bigint;
  instructions: Instruction[];
  /** Null when no node reports them. */
  funds: WalletFunds | null;
  /** Micro-lamports. */
  computeUnitPrice: bigint;
}

/** A swap on the newest known pool. Throws the problem that prevents it; nothing is simulated. */
export async function planSwap(
  dependencies: SnapshotDependencies & BuildDependencies,
  order: WalletOrder,
  { reference, tip, feeAccount }: SwapExtras,
): Promise<PlannedSwap> {
  const { wallet, terms } = order;
  const {
    snapshot,
    balanceRaw,
    funds: reading,
  } = await readSwapState(dependencies, order, dependencies.swapGate.of(accountClient(order.accountId)));
  const swap = swapOfWallet(snapshot, terms, balanceRaw);
  const { quote, platformFee } = swap;
  const limitRaw = order.limitRaw ?? walletLimitOf(swap, order.slippageBps);
  if (!isWithinLimit(swap, limitRaw)) throw outdatedQuote(swap, limitRaw);
  const poolLimitRaw = poolLimitOf(swap, limitRaw);
  const instructions = [
    ...(await swapInstructions(quote, wallet, poolLimitRaw, reference)),
    ...feeInstructions(wallet, feeAccount, platformFee),
    ...tipInstructions(wallet, tip),
  ];
  const [funds, computeUnitPrice] = await Promise.all([
    reading,
    // The accounts of the wallet have no competition.
    priceOf(order.sending.priority, contestedAccounts(quote.pool), dependencies),
  ]);
  return { swap, limitRaw, poolLimitRaw, instructions, funds, computeUnitPrice };
}

/** The account that gets the platform fee; null for an order without a platform fee. Throws when none is registered. */
export async function requireFeeAccount(
  { database }: Pick<SnapshotDependencies, 'database'>,
  { accountId, wallet, terms }: Pick<WalletOrder, 'accountId' | 'wallet' | 'terms'>,
): Promise<string | null> {
  if (terms.platformFeeBps === 0) return null;
  const registered = await findFeeAccount(database, accountId);
  if (registered === null) throw new Problem('platform_fee_account_missing');
  requireOther(registered.address, wallet);
  return registered.address;
}

/** The problem of a limit that the pool no longer meets. */
function outdatedQuote({ quote, inputRaw, outputRaw }: WalletSwap, limitRaw: bigint): Problem {
  const { request, snapshot } = quote;
  return new Problem('swap_quote_outdated', {
    context: {
      limitRaw: String(limitRaw),
      ...(request.mode === 'exact_in' ? { outputRaw: String(outputRaw) } : { inputRaw: String(inputRaw) }),
      slot: String(snapshot.clock.slot),
    },
  });
}
