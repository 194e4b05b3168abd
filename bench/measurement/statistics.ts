/** A value over the rounds of one run: its median, and how far the rounds lie apart. */
export interface Spread {
  median: number;
  min: number;
  max: number;
  /** Values in the order of the rounds. */
  rounds: number[];
}

/** Ratio of two variants round by round: what disturbs the machine during a round disturbs both sides. */
export function pairedRatio(of: readonly number[], to: readonly number[]): Spread {
  return paired(of, to, (value, other) => value / other);
}

/** Difference of two variants round by round. */
export function pairedDifference(of: readonly number[], to: readonly number[]): Spread {
  return paired(of, to, (value, other) => value - other);
}

function paired(
  of: readonly number[],
  to: readonly number[],
  compare: (value: number, other: number) => number,
): Spread {
  if (of.length !== to.length) throw new Error('the two sides have different numbers of rounds');
  return spreadOf(of.map((value, round) => compare(value, to[round] ?? Number.NaN)));
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

/** The median of every figure that all rounds have. */
export function medians(rounds: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {}).filter((name) => rounds.every((round) => name in round));
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map((round) => round[name] ?? Number.NaN))]),
  );
}
