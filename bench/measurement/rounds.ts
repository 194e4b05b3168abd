import { setImmediate as nextTurn } from 'node:timers/promises';
import { medians } from './statistics.ts';

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

/** Runs every variant once per round, in reversed order every other round, so that drift affects all alike. */
export async function alternate(variants: readonly Variant[], roundCount: number): Promise<Figures[]> {
  const rounds = new Map(variants.map(({ name }) => [name, [] as Record<string, number>[]]));
  for (let round = 0; round < roundCount; round += 1) {
    const order = round % 2 === 0 ? variants : [...variants].reverse();
    for (const { name, run } of order) {
      rounds.get(name)?.push(await run());
      // A synchronous variant would otherwise keep stop signals waiting until the last round.
      await nextTurn();
    }
  }
  return [...rounds].map(([name, measured]) => ({ name, median: medians(measured), rounds: measured }));
}
