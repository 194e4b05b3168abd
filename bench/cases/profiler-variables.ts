import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';

const COUNT_ALLOCATIONS = resolve(import.meta.dir, '../profile/count-allocations.ts');

/** Processes of this case that write profiles so far; it makes their files distinct. */
let profiled = 0;

/**
 * Variables with which a process of the product writes a CPU profile into `BENCH_PROFILE` when it ends, and with
 * `BENCH_HEAP` its heap too; with `BENCH_ALLOCATIONS` it collects nothing, and writes what it has allocated instead.
 * None if `BENCH_PROFILE` is unset.
 * @param role begins the name of the file, e.g. `api`
 */
export async function profilerVariables(role: string): Promise<Record<string, string>> {
  const folder = process.env.BENCH_PROFILE;
  if (folder === undefined) return {};
  await mkdir(folder, { recursive: true });
  profiled += 1;
  const name = `${role}-${profiled}`;
  if (process.env.BENCH_ALLOCATIONS === 'true')
    return allocationVariables(resolve(folder, `${name}.allocations.json`));
  const cpu = `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-name=${name}.cpuprofile`;
  const heap = `--heap-prof --heap-prof-dir=${folder} --heap-prof-name=${name}.heapsnapshot`;
  return { BUN_OPTIONS: process.env.BENCH_HEAP === 'true' ? `${cpu} ${heap}` : cpu };
}

/**
 * Variables with which a process collects nothing, and writes what it allocates into the file
 * (profile/count-allocations.ts).
 */
export function allocationVariables(file: string): Record<string, string> {
  return {
    BUN_OPTIONS: `--preload=${COUNT_ALLOCATIONS}`,
    BUN_JSC_useGC: '0',
    BENCH_ALLOCATIONS_FILE: file,
  };
}
