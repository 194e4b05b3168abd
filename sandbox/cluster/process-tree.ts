import { readFileSync } from 'node:fs';

/** Children of a process, at every depth. Each backend of Postgres is in a process group of its own. */
export function descendants(pid: number): number[] {
  let direct: number[];
  try {
    direct = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((text) => text !== '')
      .map(Number);
  } catch {
    return [];
  }
  return direct.flatMap((child) => [child, ...descendants(child)]);
}

/** Signals a process and all its children; those that are gone are left out. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  // A stopped parent starts no child that the list would miss.
  if (signal === 'SIGKILL') send(pid, 'SIGSTOP');
  const children = descendants(pid);
  for (const one of [pid, ...children]) send(one, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
