import { BONDING_CURVE, DAMM_V2, SPL_TOKEN, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { migrationProgress } from '../../chain/accounts/virtual-pool.ts';
import { type CurveCapacity, curveCapacity } from '../../chain/pools/curve/curve-capacity.ts';
import { quoteCurveSwap } from '../../chain/pools/curve/curve-swap.ts';
import { stretchesTouched } from '../../chain/pools/curve/curve-walk.ts';
import { dammBaseFee } from '../../chain/pools/damm/damm-fee.ts';
import { quoteDammSwap } from '../../chain/pools/damm/damm-swap.ts';
import { inverted, type PriceRatio, quotePerBase } from '../../chain/pools/spot-price.ts';
import type { SwapAmounts } from '../../chain/pools/swap-amounts.ts';
import type { SwapPool } from '../../chain/transactions/swap-instruction.ts';
import type { AmmKeys, PoolSnapshot } from './pool-snapshots.ts';
import { notTradable, outOfRange, refusedByProgram } from './refusals.ts';
import { curveSwapPool } from './swap-pools.ts';

/** The swap that a trader requests. */
export interface SwapRequest {
  side: 'buy' | 'sell';
  mode: 'exact_in' | 'exact_out';
  /** Raw input amount; with `exact_out` the output amount. */
  amountRaw: bigint;
}

/** The recipients of the fee; the parts add up to `totalRaw`. */
export interface FeeParts {
  mintAddress: string;
  totalRaw: bigint;
  protocolRaw: bigint;
  partnerRaw: bigint;
  creatorRaw: bigint;
  liquidityProvidersRaw: bigint;
}

/** The result of a swap in the snapshot's slot. */
export interface Quote {
  snapshot: PoolSnapshot;
  request: SwapRequest;
  venue: 'bonding_curve' | 'amm';
  pool: SwapPool;
  provesSingleSwap: boolean;
  amounts: SwapAmounts;
  fee: FeeParts;
  /** SOL per base token, in raw units. */
  priceBefore: PriceRatio;
  priceAfter: PriceRatio;
  completesCurve: boolean;
  /** Segments of the curve that the swap crosses; 0 on an AMM, which has one for all prices. */
  stretches: number;
  capacity: CurveCapacity | null;
}

/**
 * By snapshot, of which nothing changes: the swaps and quotes of a slot share it. What a curve can still trade takes as
 * long to compute as a swap.
 */
const capacities = new WeakMap<PoolSnapshot, CurveCapacity>();

const noLimit = { limitRaw: null, hasReferral: false } as const;

/** Computes exactly the swap of the program of the current pool. Throws the problem of a refused swap. */
export function quoteSwap(snapshot: PoolSnapshot, request: SwapRequest): Quote {
  const { token, facts, curve } = snapshot;
  if (facts.quoteMint !== WRAPPED_SOL_MINT) throw notTradable(token, 'quote_token_unsupported');
  if (curve.migrationProgress === migrationProgress.bonding) return quoteOnCurve(snapshot, request);
  if (curve.migrationProgress !== migrationProgress.migrated) throw notTradable(token, 'migrating');
  return quoteOnAmm(snapshot, request);
}

function quoteOnCurve(snapshot: PoolSnapshot, request: SwapRequest): Quote {
  const { token, facts, curve, clock } = snapshot;
  const { terms } = facts.curve;
  if (curve.quoteReserve >= terms.migrationQuoteThreshold) throw notTradable(token, 'migrating');
  const provesSingleSwap = terms.baseFee.kind === 'rate_limiter';
  const capacity = capacityOf(snapshot);
  const swap = quoteCurveSwap(terms, curve, clock, {
    ...request,
    ...noLimit,
    provesSingleSwap,
    isFirstSwapAtLaunch: false,
  });
  if (swap.outcome === 'failed') throw refusedByProgram(BONDING_CURVE, swap.error, token, capacity);
  requireOutput(swap);
  return {
    snapshot,
    request,
    venue: 'bonding_curve',
    pool: curveSwapPool(facts),
    provesSingleSwap,
    amounts: swap,
    fee: {
      mintAddress: swap.feeSide === 'base' ? facts.mintAddress : facts.quoteMint,
      totalRaw: swap.feeRaw,
      protocolRaw: swap.protocolFeeRaw,
      partnerRaw: swap.partnerFeeRaw,
      creatorRaw: swap.creatorFeeRaw,
      liquidityProvidersRaw: 0n,
    },
    priceBefore: quotePerBase(curve.sqrtPrice),
    priceAfter: quotePerBase(swap.nextSqrtPrice),
    completesCurve: swap.completesCurve,
    stretches: stretchesTouched(terms.stretches, curve.sqrtPrice, swap.nextSqrtPrice),
    capacity,
  };
}

function capacityOf(snapshot: PoolSnapshot): CurveCapacity {
  const known = capacities.get(snapshot);
  if (known !== undefined) return known;
  const { facts, curve, clock } = snapshot;
  const capacity = curveCapacity(facts.curve.terms, curve, clock);
  capacities.set(snapshot, capacity);
  return capacity;
}

function quoteOnAmm(snapshot: PoolSnapshot, request: SwapRequest): Quote {
  const { token, facts, amm, clock } = snapshot;
  if (amm === null || facts.amm?.ammProgram !== DAMM_V2) throw notTradable(token, 'amm_unsupported');
  const { state, keys } = amm;
  const solIsA = keys.tokenAMint === WRAPPED_SOL_MINT;
  const direction = (request.side === 'buy') === solIsA ? 'a_to_b' : 'b_to_a';
  const provesSingleSwap = dammBaseFee(state)?.kind === 'rate_limiter';
  const { mode, amountRaw } = request;
  const swap = quoteDammSwap(state, clock, { direction, mode, amountRaw, ...noLimit, provesSingleSwap });
  if (swap.outcome === 'unsupported') throw notTradable(token, 'amm_unsupported');
  if (swap.outcome === 'failed') throw refusedByProgram(DAMM_V2, swap.error, token, null);
  requireOutput(swap);
  const seenFromBase = (price: PriceRatio) => (solIsA ? inverted(price) : price);
  return {
    snapshot,
    request,
    venue: 'amm',
    pool: {
      program: DAMM_V2,
      address: facts.amm.ammPoolAddress,
      config: null,
      sides: ammSides(snapshot, keys),
    },
    provesSingleSwap,
    amounts: swap,
    fee: {
      mintAddress: swap.feeSide === 'a' ? keys.tokenAMint : keys.tokenBMint,
      totalRaw: swap.feeRaw,
      protocolRaw: swap.protocolFeeRaw,
      partnerRaw: 0n,
      creatorRaw: 0n,
      liquidityProvidersRaw: swap.claimingFeeRaw + swap.compoundingFeeRaw,
    },
    priceBefore: seenFromBase(quotePerBase(state.sqrtPrice)),
    priceAfter: seenFromBase(quotePerBase(swap.nextSqrtPrice)),
    completesCurve: false,
    stretches: 0,
    capacity: null,
  };
}

/** Programs take an amount for which nothing comes out (contract/trading#amounts). */
function requireOutput({ inRaw, outRaw }: SwapAmounts): void {
  if (inRaw === 0n || outRaw === 0n) throw outOfRange('too_small');
}

function ammSides({ facts }: PoolSnapshot, keys: AmmKeys): SwapPool['sides'] {
  const programOf = (mint: string) => (mint === facts.mintAddress ? facts.tokenProgram : SPL_TOKEN);
  const side = (mint: string, vault: string) => ({ mint, tokenProgram: programOf(mint), vault });
  return [side(keys.tokenAMint, keys.tokenAVault), side(keys.tokenBMint, keys.tokenBVault)];
}
