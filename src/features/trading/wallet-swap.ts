import { BASIS_POINTS, divideUp, U64_MAX } from '../../chain/pools/fixed-point.ts';
import { type PlatformFee, platformFeeOf, poolRequest } from './platform-fee.ts';
import type { PoolSnapshot } from './pool-snapshots.ts';
import { type Quote, quoteSwap } from './quote.ts';
import { outOfRange } from './refusals.ts';
import { orderAmount, type SwapShare, type SwapTerms } from './swap-terms.ts';

/** A swap with the amounts that its wallet pays and gets: those of the pool, and the platform fee. */
export interface WalletSwap {
  /** The swap at the pool. */
  quote: Quote;
  inputRaw: bigint;
  outputRaw: bigint;
  platformFee: PlatformFee | null;
  /** Null for an order with its own amount. */
  share: SwapShare | null;
}

/**
 * Computes the swap of a wallet in one slot. Throws the problem of a refused swap.
 *
 * @param balanceRaw the wallet's tokens in the slot of the snapshot, for an order of a share of them
 */
export function swapOfWallet(snapshot: PoolSnapshot, terms: SwapTerms, balanceRaw: bigint): WalletSwap {
  const { side, mode, platformFeeBps } = terms;
  const { amountRaw, share } = orderAmount(terms.amount, balanceRaw);
  const order = { side, mode, amountRaw };
  const request = poolRequest(order, platformFeeBps);
  if (request.amountRaw > U64_MAX) throw outOfRange('above_u64');
  const quote = quoteSwap(snapshot, request);
  const { inRaw, outRaw } = quote.amounts;
  const platformFee = platformFeeBps === 0 ? null : platformFeeOf(order, quote.amounts, platformFeeBps);
  const lamports = platformFee?.lamports ?? 0n;
  return {
    quote,
    inputRaw: side === 'buy' ? inRaw + lamports : inRaw,
    outputRaw: side === 'sell' ? outRaw - lamports : outRaw,
    platformFee,
    share,
  };
}

/** What the platform fee adds to a limit of the wallet: its lamports do not follow the price. */
function limitShift({ quote: { request }, platformFee }: WalletSwap): bigint {
  const lamports = platformFee?.lamports ?? 0n;
  if (request.mode === 'exact_in') return request.side === 'sell' ? lamports : 0n;
  return request.side === 'buy' ? -lamports : 0n;
}

/**
 * The worst result for the wallet under a slippage: the least output, or the most input. A swap that lands brings
 * something, whatever the slippage.
 */
export function walletLimitOf(swap: WalletSwap, slippageBps: number): bigint {
  const limitRaw = limitOf(swap.quote, slippageBps) - limitShift(swap);
  return limitRaw < 1n ? 1n : limitRaw;
}

/** The limit that the pool's program enforces, so that the wallet's one holds after the platform fee. */
export function poolLimitOf(swap: WalletSwap, walletLimitRaw: bigint): bigint {
  return walletLimitRaw + limitShift(swap);
}

/** Whether a new quote keeps within a limit of the wallet. */
export function isWithinLimit({ quote, inputRaw, outputRaw }: WalletSwap, walletLimitRaw: bigint): boolean {
  return quote.request.mode === 'exact_in' ? outputRaw >= walletLimitRaw : inputRaw <= walletLimitRaw;
}

/** The worst result at the pool that a trader accepts: the least output, or with `exact_out` the most input. */
function limitOf({ request, amounts }: Quote, slippageBps: number): bigint {
  const slippage = BigInt(slippageBps);
  if (request.mode === 'exact_in') return (amounts.outRaw * (BASIS_POINTS - slippage)) / BASIS_POINTS;
  const most = divideUp(amounts.inRaw * (BASIS_POINTS + slippage), BASIS_POINTS);
  // Math.min takes no bigint.
  if (most > U64_MAX) return U64_MAX;
  return most;
}
