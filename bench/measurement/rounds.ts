/** One measured variant of a case: the product, or the limit beside it. */
export interface Variant {
  name: string;
  run(): Promise<Record<string, number>>;
}

export interface Figures {
  name: string;
  /** Median of each figure over all rounds. */
  median: Record<string, number>;
  rounds: Record<string, number>[];
}

/** A value over the rounds of one run: what was typical, and how far the rounds lie apart. */
export interface Spread {
  median: number;
  min: number;
  max: number;
  /** In the order of the rounds. */
  rounds: number[];
}

/** Runs every variant once per round, in reversed order every other round, so that drift hits all alike. */
export async function alternate(variants: readonly Variant[], roundCount: number): Promise<Figures[]> {
  const rounds = new Map(variants.map(({ name }) => [name, [] as Record<string, number>[]]));
  for (let round = 0; round < roundCount; round += 1) {
    const order = round % 2 === 0 ? variants : [...variants].reverse();
    for (const { name, run } of order) rounds.get(name)?.push(await run());
  }
  return [...rounds].map(([name, measured]) => ({ name, median: medians(measured), rounds: measured }));
}

/** Ratio of two variants round by round: what disturbs the machine during a round disturbs both sides. */
export function pairedRatio(of: readonly number[], to: readonly number[]): Spread {
  if (of.length !== to.length) throw new Error('the two sides have different numbers of rounds');
  return spreadOf(of.map((value, round) => value / (to[round] ?? Number.NaN)));
}

/** Difference of two variants round by round. */
export function pairedDifference(of: readonly number[], to: readonly number[]): Spread {
  if (of.length !== to.length) throw new Error('the two sides have different numbers of rounds');
  return spreadOf(of.map((value, round) => value - (to[round] ?? Number.NaN)));
}

export function spreadOf(rounds: readonly number[]): Spread {
  return {
    median: median(rounds),
    min: Math.min(...rounds),
    max: Math.max(...rounds),
    rounds: [...rounds],
  };
}

/** The middle value; the mean of the two middle ones when their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The median of every figure over the rounds. */
export function medians(rounds: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map((round) => round[name] ?? Number.NaN))]),
  );
}

/** The value below which a share of the values lies; nearest rank. */
export function quantile(values: readonly number[], share: number): number {
  return quantiles(values, [share])[0] ?? Number.NaN;
}

/** Several quantiles of one set of values, sorted once; NaN without values. */
export function quantiles(values: readonly number[], shares: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  return shares.map((share) => {
    const rank = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
    return sorted[rank] ?? Number.NaN;
  });
}
