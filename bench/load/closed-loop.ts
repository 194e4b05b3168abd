import { type LoadConnection, openConnection } from './connection.ts';

export interface LoadOptions {
  port: number;
  connections: number;
  durationMs: number;
  /** The next request as wire bytes; undefined ends the run early. */
  nextRequest(): Uint8Array | undefined;
  /** Status that every response must have. */
  expectedStatus: number;
}

export interface LoadResult {
  responses: number;
  durationMs: number;
  /** Latency of each response. */
  latenciesMs: number[];
}

/**
 * Closed loop over raw sockets: each connection sends its next request when it has the response to the last one, and
 * one at least. Measures capacity. A slow response delays the next request, so its latencies are too good (see
 * `openLoop`). Throws on any unexpected status: a failed case must not look like a slow one.
 */
export async function closedLoop(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, durationMs, nextRequest, expectedStatus } = options;
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const deadlineMs = startedAtMs + durationMs;

  const runConnection = async () => {
    const finished = Promise.withResolvers<void>();
    let sentAtMs = 0;
    let connection: LoadConnection | undefined;
    const sendNext = () => {
      const isDue = sentAtMs === 0 || performance.now() < deadlineMs;
      const request = isDue ? nextRequest() : undefined;
      if (request === undefined) {
        finished.resolve();
        return;
      }
      sentAtMs = performance.now();
      connection?.send(request);
    };
    connection = await openConnection(port, {
      onResponse(status, text) {
        latenciesMs.push(performance.now() - sentAtMs);
        if (status === expectedStatus) sendNext();
        else finished.reject(new Error(`status ${status} instead of ${expectedStatus}: ${text()}`));
      },
      onFailure: finished.reject,
    });
    sendNext();
    await finished.promise.finally(() => connection.end());
  };

  await Promise.all(Array.from({ length: connections }, runConnection));
  if (latenciesMs.length === 0) throw new Error('no request was sent');
  return { responses: latenciesMs.length, durationMs: performance.now() - startedAtMs, latenciesMs };
}
