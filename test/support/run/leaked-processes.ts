import { readdirSync, readFileSync } from 'node:fs';
// biome-ignore lint/plugin: the pause between two checks for ending processes
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine } from '../../../sandbox/services/orphan-process.ts';

/** Every process inherits this variable from the test run. A daemon changes its parent, group and session,
 * but it keeps its first environment. */
export const RUN_MARK = 'LAUNCHWIRE_TEST_RUN';

/** A process may take this long to end. */
const GRACE_MS = 2000;
const POLL_MS = 20;

export interface LeakedProcess {
  readonly pid: number;
  readonly command: string;
}

/** Kills the remaining processes of the run `mark` and returns them. It finds processes only on Linux. */
export async function endLeakedProcesses(mark: string): Promise<LeakedProcess[]> {
  const deadline = performance.now() + GRACE_MS;
  let leaked = processesWithVariable(RUN_MARK, mark);
  while (leaked.length > 0 && performance.now() < deadline) {
    await delay(POLL_MS);
    leaked = processesWithVariable(RUN_MARK, mark);
  }
  for (const { pid } of leaked) process.kill(pid, 'SIGKILL');
  return leaked;
}

/** Kills a process of the run `mark`; false when the pid belongs to no such process. It finds processes only on Linux. */
export function killProcessOf(mark: string, pid: number): boolean {
  const isOurs = environment(String(pid)).includes(`${RUN_MARK}=${mark}`);
  if (isOurs) process.kill(pid, 'SIGKILL');
  return isOurs;
}

/** Processes whose variable `name` begins with `value`. It finds processes only on Linux. */
export function processesWithVariable(name: string, value: string): LeakedProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && environment(pid).includes(`${name}=${value}`))
    .map((pid) => ({ pid: Number(pid), command: commandLine(Number(pid)) }))
    .filter(({ command }) => command !== '');
}

/** An unreadable process has ended or belongs to another user, so it is not ours. */
function environment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
