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

/** Runs every variant once per round, in reversed order every other round, so that drift hits all alike. */
export async function alternate(variants: readonly Variant[], roundCount: number): Promise<Figures[]> {
  const rounds = new Map(variants.map(({ name }) => [name, [] as Record<string, number>[]]));
  for (let round = 0; round < roundCount; round += 1) {
    const order = round % 2 === 0 ? variants : [...variants].reverse();
    for (const { name, run } of order) rounds.get(name)?.push(await run());
  }
  return [...rounds].map(([name, measured]) => ({ name, median: medians(measured), rounds: measured }));
}

function medians(rounds: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [
      name,
      quantile(
        rounds.map((round) => round[name] ?? Number.NaN),
        0.5,
      ),
    ]),
  );
}

/** The value below which a share of the values lies; nearest rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
