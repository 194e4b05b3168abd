import { readdirSync, readFileSync } from 'node:fs';
// biome-ignore lint/plugin: between two looks at what is ending
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine } from '../../../sandbox/services/orphan-process.ts';

/** Processes inherit it from the test run, however far they move away from it: a daemon has another parent, group
 * and session, but the environment it was born with. */
export const RUN_MARK = 'LAUNCHWIRE_TEST_RUN';

/** A process that was asked to end may take this long. */
const GRACE_MS = 2000;
const POLL_MS = 20;

export interface LeakedProcess {
  readonly pid: number;
  readonly command: string;
}

/** Kills what the run `mark` left alive and says what it was. Linux only: elsewhere it finds nothing. */
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

/** Processes whose environment holds the variable with a value that begins like this; none on other systems than Linux. */
export function processesWithVariable(name: string, value: string): LeakedProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && environment(pid).includes(`${name}=${value}`))
    .map((pid) => ({ pid: Number(pid), command: commandLine(Number(pid)) }))
    .filter(({ command }) => command !== '');
}

/** Unreadable means gone, or someone else's: neither is ours. */
function environment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
