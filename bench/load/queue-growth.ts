import { median } from '../measurement/statistics.ts';

/** Share of the round that the last requests are late: a server that does a twentieth less than is asked for. */
const LATE_MIN = 0.05;

/**
 * Whether the queue grew for the whole round: each third of the requests waited longer than the one before, and the last
 * third for a part of the round. A percentile then says how long the round was, and nothing of the server.
 */
export function queueGrows(latenciesMs: readonly number[], durationMs: number): boolean {
  const third = Math.ceil(latenciesMs.length / 3);
  const [first = 0, middle = 0, last = 0] = [0, 1, 2].map((part) =>
    median(latenciesMs.slice(part * third, (part + 1) * third)),
  );
  return first < middle && middle < last && last > LATE_MIN * durationMs;
}
