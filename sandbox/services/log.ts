/** Receives one progress line at a time. */
export type Log = (message: string) => void;

export const silent: Log = () => {};

/** Milliseconds since `startedAt` (a `performance.now()` value) as short text: `61 ms`, `3.4 s`. */
export function elapsed(startedAt: number): string {
  const elapsedMs = performance.now() - startedAt;
  return elapsedMs < 1000 ? `${Math.round(elapsedMs)} ms` : `${(elapsedMs / 1000).toFixed(1)} s`;
}
