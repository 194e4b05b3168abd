import type { CaseOptions } from './cases/case.ts';
import { chooseCases } from './choose-cases.ts';
import { registry } from './registry.ts';
import { runCase } from './run-case.ts';

/** One round of the least work that goes through every step of a case. */
export const SHORTEST = {
  quick: true,
  shortest: true,
  rounds: 1,
  roundMs: 50,
  seed: 1,
} as const satisfies CaseOptions;

/** Options of measurements alone. */
const OF_MEASUREMENTS = ['quick', 'rounds', 'round-ms', 'rows', 'count', 'rate', 'cores', 'out'] as const;

/**
 * Runs every case once, for correctness alone, also after one has failed; returns the exit code. Figures are neither
 * printed nor saved, so that nobody compares them with others.
 */
export async function runShortest(
  given: Readonly<Record<string, unknown>>,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const refused = OF_MEASUREMENTS.find((name) => given[name] !== undefined && given[name] !== false);
  if (refused !== undefined) throw new Error(`--shortest measures nothing: it takes no --${refused}`);
  const failed: string[] = [];
  for (const name of chooseCases(wanted, Object.keys(registry), new Set())) {
    try {
      await runCase(name, { ...SHORTEST, seed: Number(given.seed), signal });
      console.log(`works   ${name}`);
    } catch (error) {
      signal.throwIfAborted();
      console.error(error);
      console.log(`FAILED  ${name}`);
      failed.push(name);
    }
  }
  console.log(failed.length === 0 ? 'bench: every case works' : `bench: ${failed.length} cases failed`);
  return failed.length === 0 ? 0 : 1;
}
