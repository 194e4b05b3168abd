import { readdirSync, readFileSync } from 'node:fs';

/** A process and everything that it started, the parent first. Postgres gives each backend a session of its own. */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(name);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family;
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of the program is in parentheses and may contain spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

/** Signals a process and everything that it started; those that are gone are left out. */
export function signalFamily(pid: number, signal: NodeJS.Signals): void {
  // A stopped parent starts no child that the list would miss.
  if (signal === 'SIGKILL') signalAll([pid], 'SIGSTOP');
  signalAll(familyOf(pid), signal);
}

/** Sends a signal to each process that still exists; to a process group by its negative id. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Whether a process exists that this one may signal. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
