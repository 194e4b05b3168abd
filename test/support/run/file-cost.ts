import { existsSync, readFileSync } from 'node:fs';
import { addWait, takeLongestWaits, type Wait } from './waits.ts';

/** The file of a run to which each test file adds one line of JSON, a `FileCost`. */
export const COSTS_FILE = 'LAUNCHWIRE_TEST_COSTS';

/** The cost of one test file, with its loading and cleaning up. */
export interface FileCost {
  readonly file: string;
  readonly wallMs: number;
  /** CPU time of the file's process. */
  readonly ownCpuMs: number;
  /** CPU time of ended processes that it started. */
  readonly childCpuMs: number;
  readonly waits: readonly Wait[];
}

const KEPT_WAITS = 3;
/** The unit of /proc, the same on all Linux machines that we use. */
const TICKS_PER_SECOND = 100;

/** Starts a measurement. The returned function gives the cost since then and starts again. */
export function measureFile(file: string): () => FileCost {
  let before = spent();
  return () => {
    const after = spent();
    const cost = {
      file,
      wallMs: after.wallMs - before.wallMs,
      ownCpuMs: after.ownCpuMs - before.ownCpuMs,
      childCpuMs: after.childCpuMs - before.childCpuMs,
    };
    const forCore = after.queuedMs - before.queuedMs;
    if (forCore > 0) addWait('a free core', forCore);
    before = after;
    return { ...cost, waits: takeLongestWaits(KEPT_WAITS) };
  };
}

function spent() {
  const { user, system } = process.cpuUsage();
  return {
    wallMs: performance.now(),
    ownCpuMs: (user + system) / 1000,
    childCpuMs: endedChildrenCpuMs(),
    queuedMs: queuedMs(),
  };
}

/** CPU time of all ended processes that this one started; 0 on systems other than Linux. */
export function endedChildrenCpuMs(): number {
  const stat = readProc('/proc/self/stat');
  // Fields 16 and 17; the name before them may contain spaces and parentheses.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return ((user + system) * 1000) / TICKS_PER_SECOND;
}

/** The time for which the main thread was ready to run but had no core; 0 on systems other than Linux. */
function queuedMs(): number {
  return Number(readProc('/proc/self/schedstat').split(' ')[1] ?? 0) / 1e6;
}

function readProc(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
