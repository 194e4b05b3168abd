import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { signalAll } from './process-family.ts';

const POLL_MS = 10;

/** Stops a process that a killed launcher left running, and removes its pid file. Its command line must contain `mark`,
 * because the system may have reused the pid. Returns the pid of the stopped process. */
export async function stopOrphan(
  pidFile: string,
  mark: string,
  stopSignal: NodeJS.Signals = 'SIGTERM',
  timeoutMs = 10_000,
): Promise<number | undefined> {
  const pid = readPid(pidFile);
  if (pid === undefined) return undefined;
  const isOrphan = () => commandLine(pid).includes(mark);
  if (!isOrphan()) {
    rmSync(pidFile, { force: true });
    return undefined;
  }
  signalAll([pid], stopSignal);
  const deadline = performance.now() + timeoutMs;
  while (isOrphan()) {
    if (performance.now() > deadline) signalAll([pid], 'SIGKILL');
    await delay(POLL_MS);
  }
  rmSync(pidFile, { force: true });
  return pid;
}

/** The pid on the first line of a file; undefined when there is no such file or number. */
function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Command line of a living process, empty when there is none (a zombie has none either). */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
