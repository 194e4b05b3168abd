import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
// biome-ignore lint/plugin: the pause between two checks for ending processes
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine } from '../../../sandbox/services/orphan-process.ts';
import { signalAll } from '../../../sandbox/services/process-family.ts';

/** Every process inherits this variable from the test run. A daemon changes its parent, group and session,
 * but it keeps its first environment. */
export const RUN_MARK = 'LAUNCHWIRE_TEST_RUN';
/** The names of the folders that tests make in `TMPDIR` begin with this. */
export const TEMP_PREFIX = 'launchwire-';

/** A process may take this long to end. */
const GRACE_MS = 2000;
const POLL_MS = 20;

export interface LeakedProcess {
  readonly pid: number;
  readonly command: string;
}

/** Kills the remaining processes of the tests of a run and returns them. It finds processes only on Linux. */
export async function endLeakedProcesses(mark: string, tempFolder: string): Promise<LeakedProcess[]> {
  const deadline = performance.now() + GRACE_MS;
  let leaked = processesOfTests(mark, tempFolder);
  while (leaked.length > 0 && performance.now() < deadline) {
    await delay(POLL_MS);
    leaked = processesOfTests(mark, tempFolder);
  }
  signalAll(
    leaked.map(({ pid }) => pid),
    'SIGKILL',
  );
  return leaked;
}

/** Kills a process of the run `mark`; false when the pid belongs to no such process. It finds processes only on Linux. */
export function killProcessOf(mark: string, pid: number): boolean {
  const isOurs = environment(String(pid)).includes(`${RUN_MARK}=${mark}`);
  if (isOurs) signalAll([pid], 'SIGKILL');
  return isOurs;
}

/**
 * Processes with the mark of a run, or with their working folder in a folder of its tests: redis-server works in its own
 * folder, and overwrites its environment with its title. It finds processes only on Linux.
 */
export function processesOfTests(mark: string, tempFolder: string): LeakedProcess[] {
  const variable = `${RUN_MARK}=${mark}`;
  const folders = join(tempFolder, TEMP_PREFIX);
  return processesWhere(
    (pid) => environment(pid).includes(variable) || workingFolder(pid).startsWith(folders),
  );
}

/** Processes whose working folder is in a folder, also when that was deleted. It finds processes only on Linux. */
export function processesIn(folder: string): LeakedProcess[] {
  return processesWhere((pid) => workingFolder(pid).startsWith(`${folder}/`));
}

/** Processes whose variable `name` begins with `value`. It finds processes only on Linux. */
export function processesWithVariable(name: string, value: string): LeakedProcess[] {
  return processesWhere((pid) => environment(pid).includes(`${name}=${value}`));
}

function processesWhere(isFound: (pid: string) => boolean): LeakedProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && isFound(pid))
    .map((pid) => ({ pid: Number(pid), command: commandLine(Number(pid)) }))
    .filter(({ command }) => command !== '');
}

/** An unreadable process has ended, belongs to another user, or hides its memory, as the product does from all but root. */
function environment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
