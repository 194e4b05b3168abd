import { type LoadConnection, openConnection } from './connection.ts';

export interface LoadOptions {
  port: number;
  connections: number;
  /** By default the run ends with its requests. */
  durationMs?: number;
  /** Number of requests after which the run ends; unlimited by default. */
  requests?: number;
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
  const { port, connections, nextRequest, expectedStatus } = options;
  const { durationMs = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = options;
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const deadlineMs = startedAtMs + durationMs;
  let sent = 0;

  const runConnection = async () => {
    const finished = Promise.withResolvers<void>();
    let sentAtMs = 0;
    let connection: LoadConnection | undefined;
    const sendNext = () => {
      const isDue = sentAtMs === 0 || performance.now() < deadlineMs;
      const request = isDue && sent < requests ? nextRequest() : undefined;
      if (request === undefined) {
        finished.resolve();
        return;
      }
      sent += 1;
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
