import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine } from '../../../sandbox/services/orphan-process.ts';

/** Processes inherit it from the test run, however far they move away from it: a daemon has another parent, group
 * and session, but the environment it was born with. */
export const RUN_MARK = 'LAUNCHWIRE_TEST_RUN';

/** A process that was told to end may take this long to be gone. */
const GRACE_MS = 2000;
const POLL_MS = 20;

export interface LeakedProcess {
  readonly pid: number;
  readonly command: string;
}

/** Kills what the run `mark` left alive and says what it was. Linux only: elsewhere it finds nothing. */
export async function endLeakedProcesses(mark: string): Promise<LeakedProcess[]> {
  const deadline = performance.now() + GRACE_MS;
  let leaked = findMarked(mark);
  while (leaked.length > 0 && performance.now() < deadline) {
    await delay(POLL_MS);
    leaked = findMarked(mark);
  }
  for (const { pid } of leaked) process.kill(pid, 'SIGKILL');
  return leaked;
}

function findMarked(mark: string): LeakedProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environment(name).includes(`${RUN_MARK}=${mark}`))
    .map((name) => ({ pid: Number(name), command: commandLine(Number(name)) }))
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
