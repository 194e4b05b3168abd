import { type Figures, pairedRatio, type Spread } from '../measurement/rounds.ts';

export interface CaseOptions {
  rounds: number;
  /** Of one variant in one round. */
  roundMs: number;
  /** The short version of everything: fewer prepared rows, smaller data, lower rates. */
  quick?: boolean;
  /** Seed of every random choice a case makes; recorded with the result. */
  seed?: number;
  /** False: only the product and its limits, without the peers (`bun run bench:compare`). Default true. */
  peers?: boolean;
}

/** One comparison: figures of each variant and the ratios that matter, all from one run. */
export interface CaseResult {
  name: string;
  figures: Figures[];
  /**
   * `sizes`: the variants are sizes of the data, ascending, and their figures all of one unit, one line each. `course`:
   * the rounds of a variant are one run from beginning to end.
   */
  plot?: 'sizes' | 'course';
  /**
   * What each ratio says, e.g. `throughput, ours / bare server`: these are what budgets bind. A difference is
   * allowed too, with its unit in the name. A bare number is a ratio without a spread.
   */
  ratios: Record<string, Spread | number>;
}

export type BenchCase = (options: CaseOptions) => Promise<CaseResult>;

/** One figure of variant `of` divided by that of variant `to`, round by round; the median is what counts. */
export function ratio(figures: readonly Figures[], of: string, to: string, figure: string): Spread {
  return pairedRatio(valuesOf(figures, of, figure), valuesOf(figures, to, figure));
}

/** A figure of a variant in every round. Throws when the case has no such variant or figure. */
export function valuesOf(figures: readonly Figures[], variant: string, figure: string): number[] {
  const rounds = figures.find(({ name }) => name === variant)?.rounds;
  if (rounds === undefined) throw new Error(`no variant ${variant}`);
  return rounds.map((round) => {
    const value = round[figure];
    if (value === undefined) throw new Error(`variant ${variant} has no figure ${figure}`);
    return value;
  });
}
