import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts process times in ticks of 10 ms on every supported architecture (USER_HZ). */
const TICK_MS = 10;
/** User and system time of a process are each rounded down to a tick. */
const ROUNDING_MS = 2 * TICK_MS;
/** Fields of /proc/<pid>/stat after the command name. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const STARTED_AT = 19;

/** CPU time (user and system) that a process has used so far. */
export interface ProcessCpu {
  /** All threads, also those that have ended. */
  allMs: number;
  /** The thread of the event loop, without the threads of compilers, collector and HTTP client. */
  mainMs: number;
}

/** CPU time of the threads of a process, at the last reading. */
interface Account {
  /** A process that gets the number of another one has begun at another time. */
  startedAt: string | undefined;
  /** Nanoseconds by thread. */
  threads: ReadonlyMap<string, number>;
  /** Threads that have ended, as far as readings saw them. */
  endedMs: number;
}

const accounts = new Map<number, Account>();

/**
 * The CPU time of a process, from the nanoseconds that the scheduler counts for each thread. The counter of a thread ends
 * with it, and the engine ends compilers that have nothing to do: their last reading is kept, and where the ticks of the
 * whole process, which lose nothing, exceed that sum, they count. So at most 20 ms of all readings together are missing.
 * On a kernel without these counters the ticks alone count.
 */
export function processCpu(pid: number): ProcessCpu {
  const stat = statOf(pid);
  const ticksMs = ticksMsOf(stat);
  const threads = threadNanoseconds(pid);
  if (threads.size === 0) return { allMs: ticksMs, mainMs: ticksMsOf(statOf(pid, pid)) };
  const known = accounts.get(pid);
  const before = known?.startedAt === stat[STARTED_AT] ? known : undefined;
  let endedMs = before?.endedMs ?? 0;
  for (const [thread, nanoseconds] of before?.threads ?? [])
    if (!threads.has(thread)) endedMs += nanoseconds / 1e6;
  const livingMs = [...threads.values()].reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  if (ticksMs - livingMs - endedMs >= ROUNDING_MS) endedMs = ticksMs - livingMs;
  accounts.set(pid, { startedAt: stat[STARTED_AT], threads, endedMs });
  return { allMs: livingMs + endedMs, mainMs: (threads.get(String(pid)) ?? 0) / 1e6 };
}

/** CPU time of all threads of a process so far. */
export function processCpuMs(pid: number): number {
  return processCpu(pid).allMs;
}

/**
 * Fields of /proc/<pid>/stat, or of one thread, after the command name, which may contain spaces. Throws when there is no
 * such process.
 */
export function statOf(pid: number, thread?: number): string[] {
  const stat = readFileSync(`/proc/${pid}/${thread === undefined ? '' : `task/${thread}/`}stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function ticksMsOf(stat: readonly string[]): number {
  return (Number(stat[USER_TICKS]) + Number(stat[SYSTEM_TICKS])) * TICK_MS;
}

function threadNanoseconds(pid: number): Map<string, number> {
  const threads = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [used = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1);
      threads.set(thread, Number(used));
    } catch {
      // It has just ended, and counts as its last reading.
    }
  }
  return threads;
}
