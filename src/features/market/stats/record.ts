import type { poolPrograms } from '../../../db/values/pools.ts';
import type { curveStages, tokenStatuses } from '../../../db/values/tokens.ts';
import {
  compareDecimals,
  type DecimalString,
  divideDecimals,
  normaliseDecimal,
  normaliseSigned,
  subtractDecimals,
} from '../../../shared/decimal.ts';
import { publishedSum } from '../../../shared/published-value.ts';
import type { TokenStats, unknownProgressReasons, WindowStats } from './schema.ts';
import type { StatsWindow } from './windows.ts';

const ZERO = normaliseDecimal('0');
const ONE = normaliseDecimal('1');

/** A token with one of its windows; numerics as Postgres prints them. */
export interface StatsRow {
  mintAddress: string;
  asOf: Date;
  status: (typeof tokenStatuses)[number];
  curveStage: (typeof curveStages)[number] | null;
  poolAddress: string | null;
  program: (typeof poolPrograms)[number] | null;
  thresholdInSol: string | null;
  solCollectedInSol: string;
  /** Whether the collected SOL is a sum of trades instead of a reserve that was read. */
  isSum: boolean;
  window: StatsWindow;
  from: Date;
  tradeCount: number;
  volumeInSol: string;
  volumeInToken: string;
  buyCount: number;
  buyVolumeInSol: string;
  buyerCount: number | null;
  sellerCount: number | null;
  open: string | null;
  high: string | null;
  low: string | null;
  close: string | null;
  priceChangePercent: string | null;
}

/** The record of a token from its rows, one for each window. */
export function toTokenStats(rows: readonly StatsRow[]): TokenStats {
  const [first] = rows;
  if (first === undefined) throw new Error('a token without windows');
  const windows = Object.fromEntries(rows.map((row) => [row.window, toWindowStats(row)]));
  const progress = graduationProgress(first);
  return {
    mintAddress: first.mintAddress,
    asOf: first.asOf.toISOString(),
    windows: windows as Record<StatsWindow, WindowStats>,
    graduationProgress: typeof progress === 'string' ? progress : null,
    graduationProgressUnknown: typeof progress === 'string' ? null : progress.unknown,
    graduationThresholdInSol: orNull(first.thresholdInSol),
    solCollectedInSol: publishedSum(first.solCollectedInSol),
  };
}

function toWindowStats(row: StatsRow): WindowStats {
  const { tradeCount, buyCount, buyerCount, sellerCount } = row;
  const volumeInSol = normaliseDecimal(row.volumeInSol);
  const buyVolumeInSol = normaliseDecimal(row.buyVolumeInSol);
  return {
    from: row.from.toISOString(),
    tradeCount,
    buyCount,
    sellCount: tradeCount - buyCount,
    buyerCount,
    sellerCount,
    volumeInSol,
    volumeInToken: normaliseDecimal(row.volumeInToken),
    buyVolumeInSol,
    sellVolumeInSol: subtractDecimals(volumeInSol, buyVolumeInSol),
    open: orNull(row.open),
    high: orNull(row.high),
    low: orNull(row.low),
    close: orNull(row.close),
    priceChangePercent: row.priceChangePercent === null ? null : normaliseSigned(row.priceChangePercent),
  };
}

type GraduationFacts = Pick<
  StatsRow,
  'status' | 'curveStage' | 'poolAddress' | 'program' | 'thresholdInSol' | 'solCollectedInSol' | 'isSum'
>;

/**
 * The part of its threshold that a curve has collected, or why it is unknown
 * (contract/market-data#graduation-progress). A complete curve holds more than its threshold.
 */
export function graduationProgress(
  token: GraduationFacts,
): DecimalString | { unknown: (typeof unknownProgressReasons)[number] } {
  const { status, curveStage, poolAddress, program, thresholdInSol, solCollectedInSol, isSum } = token;
  const isComplete = curveStage === 'completed' || curveStage === 'migrated';
  if (isComplete || status === 'graduated' || status === 'graduating_migration_pending') return ONE;
  if (poolAddress === null || (program !== null && program !== 'dbc')) return { unknown: 'no_curve' };
  if (thresholdInSol === null) return { unknown: 'threshold_unknown' };
  const collected = publishedSum(solCollectedInSol);
  // A sum of trades counts fees, and is no reserve.
  if (isSum && compareDecimals(collected, ZERO) !== 0) return { unknown: 'reserve_unknown' };
  const progress = divideDecimals(collected, normaliseDecimal(thresholdInSol));
  return compareDecimals(progress, ONE) > 0 ? ONE : progress;
}

const orNull = (text: string | null) => (text === null ? null : normaliseDecimal(text));
