/** A terminal's Ctrl-C reaches the whole process group, and npm and the bootstrap forward it as well: signals within
 * this time are one request. */
const SAME_REQUEST_MS = 1000;

/** Calls `stop` once, at the first SIGINT, SIGTERM or SIGHUP; a later, separate request calls `force`. Returns a
 * function that removes the handlers. */
export function onStopSignal(
  stop: (signal: NodeJS.Signals) => void,
  force: (signal: NodeJS.Signals) => void,
): () => void {
  let firstAt: number | undefined;
  const handle = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      stop(signal);
    } else if (now - firstAt > SAME_REQUEST_MS) {
      force(signal);
    }
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, handle);
  return () => {
    for (const signal of signals) process.off(signal, handle);
  };
}
