import { readFileSync } from 'node:fs';
import type { Queryable } from '../../src/db/client.ts';
import { processCpuMs, statOf } from './process-cpu.ts';

const TICK_MS = 10;
/** Fields of /proc/<pid>/stat after the command name. */
const PARENT = 1;
const ENDED_CHILDREN = [13, 14];

/** The first process of the Postgres server, when it runs on this machine under a process id that is seen here. */
export async function postmasterOf(sql: Queryable): Promise<number | null> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  try {
    const parent = Number(statOf(row?.pid ?? 0)[PARENT]);
    return readFileSync(`/proc/${parent}/comm`, 'utf8').startsWith('postgres') ? parent : null;
  } catch {
    // The process is not visible, for example because it runs in a container.
    return null;
  }
}

/**
 * CPU time of a server that works in child processes: its own, that of its children, and that of those that have ended.
 */
export function serverCpuMs(pid: number): number {
  const stat = statOf(pid);
  const endedMs = ENDED_CHILDREN.reduce((sum, field) => sum + Number(stat[field]) * TICK_MS, 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  return children.reduce((sum, child) => sum + cpuOfMs(Number(child)), processCpuMs(pid) + endedMs);
}

/** A child may end at any moment; then its time is among those that have ended. */
function cpuOfMs(pid: number): number {
  try {
    return processCpuMs(pid);
  } catch {
    return 0;
  }
}
