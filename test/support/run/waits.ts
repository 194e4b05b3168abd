import { type ChildStart, childStarts } from '../../../sandbox/services/child-starts.ts';

/** The waits of a test file, summed by subject. */
export interface Wait {
  readonly what: string;
  readonly times: number;
  readonly durationMs: number;
}

const waits = new Map<string, Wait>();

/** Overlapping waits each count in full. */
export function addWait(what: string, durationMs: number): void {
  const known = waits.get(what) ?? { what, times: 0, durationMs: 0 };
  waits.set(what, { what, times: known.times + 1, durationMs: known.durationMs + durationMs });
}

childStarts.subscribe((start) => {
  const { name, durationMs } = start as ChildStart;
  addWait(`start of ${name}`, durationMs);
});

/** The longest `count` waits since the last call, longest first. */
export function takeLongestWaits(count: number): Wait[] {
  const longest = [...waits.values()].sort((a, b) => b.durationMs - a.durationMs).slice(0, count);
  waits.clear();
  return longest;
}
