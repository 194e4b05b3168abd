import { randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import { readNumber, takeNumber } from './number-argument.ts';

/** The variable with the seed of a run. */
export const SEED_VARIABLE = 'TEST_SEED';
/** fast-check uses seeds of 32 bits. */
const SEEDS = 2 ** 31;
const FAST_CHECK = /[\\/]fast-check[\\/]lib[\\/]fast-check\.js$/;

export interface SeededArguments {
  readonly seed: number;
  /** The arguments without the seed. */
  readonly rest: readonly string[];
}

/** The seed of `--seed N` or `--seed=N`, else a new one. */
export function takeSeed(args: readonly string[]): SeededArguments {
  const { value = randomInt(SEEDS), rest } = takeNumber(args, '--seed', SEEDS);
  return { seed: value, rest };
}

/**
 * Makes every property and sample of this process use the seed of the run, unless it names another. This
 * changes fast-check when a file loads it, because loading it here would cost every other file some time.
 */
export function seedPropertyTests(): void {
  // A bare `bun test` has no seed yet, so all files of the process share this one.
  process.env[SEED_VARIABLE] ??= String(randomInt(SEEDS));
  const seed = readNumber(process.env[SEED_VARIABLE], '--seed', SEEDS);
  Bun.plugin({
    name: 'seed of the run',
    setup(build) {
      build.onLoad({ filter: FAST_CHECK }, ({ path }) => {
        // Its second copy stays as it is: Bun reads a changed text anew for each file, for 30 ms of CPU.
        const copy = join(dirname(path), 'cjs', 'fast-check.js');
        const contents = `import { configureGlobal, readConfigureGlobal } from '${copy}';
          configureGlobal({ ...readConfigureGlobal(), seed: ${seed} });
          export * from '${copy}';
          export { default } from '${copy}';`;
        return { loader: 'js', contents };
      });
    },
  });
}
