import { type DecimalString, divideDecimals, rawToDecimal } from '../../src/shared/decimal.ts';

export const TOKEN_DECIMALS = 6;
export const LAMPORTS_PER_SOL = 1_000_000_000n;
const SOL_DECIMALS = 9;

/** Every token has this supply; the pool begins with all of it but the creator's part. */
export const SUPPLY_RAW = 1_000_000_000_000_000n;
export const CREATOR_RAW = 10_000_000_000_000n;

/** Added to the real reserves, so that the first buyer meets a price: 30 SOL for 1,073 million tokens. */
const VIRTUAL_LAMPORTS = 30n * LAMPORTS_PER_SOL;
const VIRTUAL_TOKENS_RAW = 83_000_000_000_000n;
const FEE_BPS = 100n;
/** A launch graduates when its pool holds this much. */
export const GRADUATION_LAMPORTS = 85n * LAMPORTS_PER_SOL;

/** What a pool really holds. */
export interface Reserves {
  readonly lamports: bigint;
  readonly tokensRaw: bigint;
}

/** A priced trade; `traderLamports` is paid with the fee in it (buy) or received without it (sell). */
export interface Quote {
  readonly tokensRaw: bigint;
  readonly traderLamports: bigint;
  readonly poolLamports: bigint;
  readonly feeLamports: bigint;
  /** The pool after the trade. */
  readonly after: Reserves;
}

/** Tokens for lamports along x * y = k, rounded in favour of the pool. */
export function quoteBuy(pool: Reserves, paidLamports: bigint): Quote {
  const feeLamports = feeOf(paidLamports);
  const poolLamports = paidLamports - feeLamports;
  const x = pool.lamports + VIRTUAL_LAMPORTS;
  const y = pool.tokensRaw + VIRTUAL_TOKENS_RAW;
  const tokensRaw = y - divideUp(x * y, x + poolLamports);
  const after = { lamports: pool.lamports + poolLamports, tokensRaw: pool.tokensRaw - tokensRaw };
  return { tokensRaw, traderLamports: paidLamports, poolLamports, feeLamports, after };
}

/** Lamports for tokens along the same curve; never more than the pool holds. */
export function quoteSell(pool: Reserves, tokensRaw: bigint): Quote {
  const x = pool.lamports + VIRTUAL_LAMPORTS;
  const y = pool.tokensRaw + VIRTUAL_TOKENS_RAW;
  let poolLamports = x - divideUp(x * y, y + tokensRaw);
  if (poolLamports > pool.lamports) poolLamports = pool.lamports;
  const feeLamports = feeOf(poolLamports);
  const after = { lamports: pool.lamports - poolLamports, tokensRaw: pool.tokensRaw + tokensRaw };
  return { tokensRaw, traderLamports: poolLamports - feeLamports, poolLamports, feeLamports, after };
}

/** SOL for one whole token at this moment. */
export function spotPriceInSol(pool: Reserves): DecimalString {
  return divideDecimals(
    lamportsToSol(pool.lamports + VIRTUAL_LAMPORTS),
    rawToDecimal(pool.tokensRaw + VIRTUAL_TOKENS_RAW, TOKEN_DECIMALS),
  );
}

export function lamportsToSol(lamports: bigint): DecimalString {
  return rawToDecimal(lamports, SOL_DECIMALS);
}

function feeOf(lamports: bigint): bigint {
  return divideUp(lamports * FEE_BPS, 10_000n);
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
