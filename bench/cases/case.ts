import type { Figures } from '../measurement/rounds.ts';

export interface CaseOptions {
  rounds: number;
  /** Of one variant in one round. */
  roundMs: number;
}

/** One comparison: figures of each variant and the ratios that matter, all from one run. */
export interface CaseResult {
  name: string;
  figures: Figures[];
  /** What each ratio says, e.g. `throughput, ours / bare server`. */
  ratios: Record<string, number>;
}

export type BenchCase = (options: CaseOptions) => Promise<CaseResult>;

/** Ratio of one figure between two variants of a case. */
export function ratio(figures: readonly Figures[], of: string, to: string, figure: string): number {
  const value = (name: string) =>
    figures.find((candidate) => candidate.name === name)?.median[figure] ?? Number.NaN;
  return value(of) / value(to);
}
