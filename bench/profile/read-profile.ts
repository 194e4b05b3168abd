/** The parts of Chrome's CPU profile that are read here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  /** The node of each sample. */
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

export interface HotFunction {
  readonly name: string;
  /** Path below the root of the tree with its line, a package, or `runtime` for what is not JavaScript. */
  readonly place: string;
  readonly selfMs: number;
}

/**
 * The profiler takes a sample each millisecond while JavaScript runs, and none while the process waits or runs native
 * code alone: what the next sample counts beyond this is not its own.
 */
const SAMPLE_US_MAX = 2_000;

export interface ProfileSummary {
  /** Time in which JavaScript ran. */
  readonly busyMs: number;
  /** Time in which the process waited or ran native code alone. */
  readonly waitingMs: number;
  /** Own time of each function, the largest first. */
  readonly functions: readonly HotFunction[];
}

/** The own time of every function in the text of a `.cpuprofile`. */
export function summarise(text: string, root: string): ProfileSummary {
  const { nodes, samples, timeDeltas } = JSON.parse(text) as CpuProfile;
  const selfUs = new Map<number, number>();
  let [busyUs, waitingUs] = [0, 0];
  for (const [at, node] of samples.entries()) {
    const deltaUs = timeDeltas[at] ?? 0;
    const ownUs = Math.min(deltaUs, SAMPLE_US_MAX);
    busyUs += ownUs;
    waitingUs += deltaUs - ownUs;
    selfUs.set(node, (selfUs.get(node) ?? 0) + ownUs);
  }
  const functions = new Map<string, HotFunction>();
  for (const { id, callFrame } of nodes) {
    const ownUs = selfUs.get(id) ?? 0;
    if (ownUs === 0) continue;
    const name = callFrame.functionName || '(anonymous)';
    const place = placeOf(callFrame.url, callFrame.lineNumber, root);
    const key = `${name} ${place}`;
    const known = functions.get(key)?.selfMs ?? 0;
    functions.set(key, { name, place, selfMs: known + ownUs / 1000 });
  }
  return {
    busyMs: busyUs / 1000,
    waitingMs: waitingUs / 1000,
    functions: [...functions.values()].sort((one, other) => other.selfMs - one.selfMs),
  };
}

function placeOf(url: string, line: number, root: string): string {
  if (url === '') return 'runtime';
  const path = url.replace(/^file:\/\//, '');
  const [, ofPackage] = path.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/) ?? [];
  if (ofPackage !== undefined) return ofPackage;
  const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  return `${below}:${line + 1}`;
}
