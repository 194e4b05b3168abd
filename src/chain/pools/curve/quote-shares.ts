import { divideUp } from '../fixed-point.ts';
import type { CurveConfig } from './config-account.ts';
import type { CurvePool } from './pool-account.ts';

/** An amount in the quote token, raw, and its parts. */
export interface QuoteShares {
  whole: bigint;
  creator: bigint;
  partner: bigint;
  protocol: bigint;
}

/** The percentage of a surplus over the threshold that partner and creator share. */
const SURPLUS_PERCENT = 80n;
/** Flags that record who has taken the migration fee. */
const PARTNER_TOOK_FEE = 0b100;
const CREATOR_TOOK_FEE = 0b010;

/** What a complete curve holds above its threshold, claimed or not (reference/solana#accrued-fees). */
export function surplusShares(pool: CurvePool, config: CurveConfig): QuoteShares {
  const threshold = config.migrationQuoteThreshold;
  return shares(isComplete(pool, config) ? pool.quoteReserve - threshold : 0n, {
    sharedPercent: SURPLUS_PERCENT,
    creatorPercent: config.creatorTradingFeePercent,
  });
}

/** What a complete curve keeps of its threshold for creator and partner, claimed or not. */
export function migrationFeeShares(pool: CurvePool, config: CurveConfig): QuoteShares {
  const whole = config.migrationQuoteThreshold - movedAtMigration(config);
  return shares(isComplete(pool, config) ? whole : 0n, {
    sharedPercent: 100n,
    creatorPercent: config.creatorMigrationFeePercent,
  });
}

/** The part of the threshold that moves to the AMM, before the protocol's fee. */
export function movedAtMigration(config: CurveConfig): bigint {
  return divideUp(config.migrationQuoteThreshold * BigInt(100 - config.migrationFeePercent), 100n);
}

export function hasTakenMigrationFee(pool: CurvePool, party: 'creator' | 'partner'): boolean {
  const bit = party === 'creator' ? CREATOR_TOOK_FEE : PARTNER_TOOK_FEE;
  return (pool.migrationFeeWithdrawStatus & bit) !== 0;
}

function isComplete(pool: CurvePool, config: CurveConfig): boolean {
  return pool.quoteReserve >= config.migrationQuoteThreshold;
}

function shares(
  whole: bigint,
  { sharedPercent, creatorPercent }: { sharedPercent: bigint; creatorPercent: number },
): QuoteShares {
  const shared = (whole * sharedPercent) / 100n;
  const creator = (shared * BigInt(creatorPercent)) / 100n;
  return { whole, creator, partner: shared - creator, protocol: whole - shared };
}
