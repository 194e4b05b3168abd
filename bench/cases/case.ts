import type { Distribution } from '../measurement/distribution.ts';
import type { Figures } from '../measurement/rounds.ts';
import { pairedRatio, type Spread } from '../measurement/statistics.ts';

export interface CaseOptions {
  rounds: number;
  /** Length of one variant in one round. */
  roundMs: number;
  /** The short version of everything: fewer prepared rows, smaller data, lower rates. */
  quick?: boolean;
  /**
   * Beside `quick`: does the least work that passes through every step, to prove that the case works. Its figures mean
   * nothing.
   */
  shortest?: boolean;
  /** Whether an uncounted round comes first. It would be half of a quick run. Default: true. */
  warmUp?: boolean;
  /** The largest size of a case of `scale` (rows, endpoints or pools). Default: that of the case. */
  rows?: number;
  /** Items of a case of `memory` (requests, deliveries, trades or streams). Default: those of the case. */
  count?: number;
  /** Multiple of the rates of `pipeline/day`. Default: several multiples in turn. */
  rate?: number;
  /** Number of cores that product, Postgres and NATS may use in `pipeline/day`. Default: all. */
  cores?: number;
  /** Seed of every random choice a case makes; recorded with the result. */
  seed?: number;
  /** Whether the peers run beside the product and its limits; not in `npm run bench:compare`. Default: true. */
  peers?: boolean;
}

/** A value for each length of a run. */
export type Sizes<Value> = Readonly<Record<'full' | 'quick' | 'shortest', Value>>;

/** The value for this run. */
export function sized<Value>(
  { quick, shortest }: Pick<CaseOptions, 'quick' | 'shortest'>,
  sizes: Sizes<Value>,
): Value {
  if (shortest === true) return sizes.shortest;
  return quick === true ? sizes.quick : sizes.full;
}

/** Whether an uncounted round comes first, so that no process is cold in the first counted one. */
export function warmsUp({ shortest, warmUp }: Pick<CaseOptions, 'shortest' | 'warmUp'>): boolean {
  return shortest !== true && warmUp !== false;
}

/** One comparison: figures of each variant and the ratios that matter, all from one run. */
export interface CaseResult {
  name: string;
  figures: Figures[];
  /**
   * `sizes`: the variants are ascending sizes of the data. The report draws a line for each figure; all have one unit.
   * `course`: the rounds of a variant are the parts of one run, from its beginning to its end.
   */
  plot?: 'sizes' | 'course';
  /**
   * By meaning, such as `throughput, ours / bare server`. Budgets bind them. A difference has its unit in its name. A
   * number is a ratio without a spread. Null means that there were too few samples of a percentile or of CPU time.
   */
  ratios: Record<string, Spread | number | null>;
  /** Whole distributions of the figures with percentiles, over all rounds. */
  distributions?: Distribution[];
}

/** Reports print it for a ratio that is null. */
export const TOO_FEW_SAMPLES = 'too few samples';

export type BenchCase = (options: CaseOptions) => Promise<CaseResult>;

/**
 * One figure of variant `of` divided by that of variant `to`, round by round; the median is what counts. A round in
 * which the divisor is 0 is left out: processes that have ended are counted in ticks of 10 ms, and a short round may
 * have none. Null when no round is left.
 */
export function ratio(figures: readonly Figures[], of: string, to: string, figure: string): Spread | null {
  const divisors = valuesOf(figures, to, figure);
  const isMeasured = (_: number, round: number) => divisors[round] !== 0;
  const measured = divisors.filter(isMeasured);
  return measured.length === 0
    ? null
    : pairedRatio(valuesOf(figures, of, figure).filter(isMeasured), measured);
}

/** As `ratio`, for a percentile: null when a round of either side had too few samples for it. */
export function percentileRatio(
  figures: readonly Figures[],
  of: string,
  to: string,
  percentile: string,
): Spread | null {
  const rounds = [...roundsOf(figures, of), ...roundsOf(figures, to)];
  const isMeasured = rounds.every((round) => percentile in round);
  return isMeasured ? ratio(figures, of, to, percentile) : null;
}

/** A figure of a variant in every round. Throws when the case has no such variant or figure. */
export function valuesOf(figures: readonly Figures[], variant: string, figure: string): number[] {
  return roundsOf(figures, variant).map((round) => {
    const value = round[figure];
    if (value === undefined) throw new Error(`variant ${variant} has no figure ${figure}`);
    return value;
  });
}

function roundsOf(figures: readonly Figures[], variant: string): readonly Record<string, number>[] {
  const rounds = figures.find(({ name }) => name === variant)?.rounds;
  if (rounds === undefined) throw new Error(`no variant ${variant}`);
  return rounds;
}
