import { availableParallelism } from 'node:os';

/**
 * Binds every thread of processes to the first cores of the machine, so that a larger machine stands for a smaller one.
 * What they start later inherits it. Throws when `taskset` (util-linux) is missing or the machine has fewer cores.
 */
export async function bindToCores(pids: readonly number[], cores: number): Promise<void> {
  if (cores > availableParallelism())
    throw new Error(`the machine has ${availableParallelism()} cores, not ${cores}`);
  for (const pid of pids) {
    const child = Bun.spawn(['taskset', '-a', '-cp', `0-${cores - 1}`, String(pid)], {
      stdout: 'ignore',
      stderr: 'pipe',
    });
    if ((await child.exited) !== 0)
      throw new Error(`taskset failed: ${await new Response(child.stderr).text()}`);
  }
}
