import { join } from 'node:path';
import { ALLOCATOR } from '../../../sandbox/services/allocator.ts';

/**
 * Bun's own variables for every process of a run, with the run's folder.
 *
 * Processes of tests end soon: giving memory back while they run is 5 to 10 % of the whole run's CPU. Bun keeps what it
 * made of a source by the hash of its text. Each file has a global object of its own and loads its modules again: of the
 * whole api that takes 0.65 s of CPU, and 0.45 s with the kept sources. Without HOME, as in CI, Bun would keep none.
 */
export function runtimeVariables(folder: string): Readonly<Record<string, string>> {
  return {
    ...ALLOCATOR,
    MIMALLOC_PURGE_HOLES: '0',
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(folder, 'transpiled'),
  };
}

const NAMES = ['PATH', ...Object.keys(runtimeVariables(''))];

/** The environment of a process that gets no setting but those that its test names. */
export function bareEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
