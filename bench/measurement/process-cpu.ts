import { readFileSync } from 'node:fs';

/** Linux counts process times in ticks of 10 ms on every supported architecture (USER_HZ). */
const TICK_MS = 10;

/** CPU time (user and system) a process has used so far, from /proc. */
export function processCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command name in parentheses may contain spaces: fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
