import type { Socket } from 'bun';
import { ResponseCounter } from './response-counter.ts';

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
 * Closed loop over raw sockets: each connection sends its next request when the last was answered. A raw client
 * costs a few microseconds per request, so two cores show the server and not the generator. Throws on any
 * unexpected status: a failed case must not look like a slow one.
 */
export async function closedLoop(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, durationMs, nextRequest, expectedStatus } = options;
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const deadlineMs = startedAtMs + durationMs;

  const runConnection = () =>
    new Promise<void>((resolve, reject) => {
      const counter = new ResponseCounter();
      let sentAtMs = 0;
      const sendNext = (socket: Socket) => {
        const request = performance.now() < deadlineMs ? nextRequest() : undefined;
        if (request === undefined) {
          socket.end();
          resolve();
          return;
        }
        sentAtMs = performance.now();
        socket.write(request);
      };
      Bun.connect({
        hostname: '127.0.0.1',
        port,
        socket: {
          open: sendNext,
          data(socket, chunk) {
            const status = counter.push(chunk);
            if (status === null) return;
            latenciesMs.push(performance.now() - sentAtMs);
            if (status !== expectedStatus) {
              socket.end();
              reject(new Error(`status ${status} instead of ${expectedStatus}: ${counter.lastText()}`));
              return;
            }
            sendNext(socket);
          },
          error: (_socket, error) => reject(error),
          connectError: (_socket, error) => reject(error),
        },
      }).catch(reject);
    });

  await Promise.all(Array.from({ length: connections }, runConnection));
  return { responses: latenciesMs.length, durationMs: performance.now() - startedAtMs, latenciesMs };
}
