import { type LoadConnection, openConnection } from './connection.ts';

export interface OpenLoopOptions {
  port: number;
  connections: number;
  /** When each request is due, in milliseconds from the start, ascending (`poissonArrivals`). */
  arrivalsMs: Float64Array;
  /** The next request as wire bytes. */
  nextRequest(): Uint8Array | undefined;
  expectedStatus: number;
  /** Called at the moment from which arrivals count. */
  onStart?(): void;
  /** Called when a response is complete; requests are numbered in the order of `nextRequest`. */
  onResponse?(request: number): void;
}

export interface OpenLoopResult {
  /** From the moment each request was due to the end of its response. */
  latenciesMs: number[];
  /** Delay of the generator itself: the time for which a request was due, a connection free, and it was not sent. */
  generatorLagsMs: number[];
  errors: number;
  firstError: string | undefined;
}

/** Timers fire up to a millisecond late; arrivals nearer than this are polled for. */
const TIMER_MARGIN_MS = 2;

interface Lane {
  connection: LoadConnection;
  /** Number of the request that it carries. */
  request: number;
  dueAtMs: number;
  idleSinceMs: number;
}

/**
 * Open loop: requests are due by a schedule made in advance, and latencies count from then, whether or not a connection
 * was free. A stall of the server therefore shows in every request that was due meanwhile (no coordinated omission).
 */
export async function openLoop(options: OpenLoopOptions): Promise<OpenLoopResult> {
  const { port, connections, arrivalsMs, nextRequest, expectedStatus } = options;
  const result: OpenLoopResult = { latenciesMs: [], generatorLagsMs: [], errors: 0, firstError: undefined };
  const finished = Promise.withResolvers<void>();
  const idle: Lane[] = [];
  let next = 0;
  let responses = 0;
  let startedAtMs = 0;

  const sendOn = (lane: Lane, nowMs: number) => {
    const request = nextRequest();
    if (request === undefined) {
      finished.reject(new Error('the prepared requests ran out'));
      return;
    }
    lane.dueAtMs = startedAtMs + (arrivalsMs[next] ?? 0);
    lane.request = next;
    next += 1;
    result.generatorLagsMs.push(nowMs - Math.max(lane.dueAtMs, lane.idleSinceMs));
    lane.connection.send(request);
  };
  /** Sends due requests while a connection is free. */
  const dispatch = () => {
    for (;;) {
      const nowMs = performance.now();
      if (next >= arrivalsMs.length || startedAtMs + (arrivalsMs[next] ?? 0) > nowMs) return;
      const lane = idle.pop();
      if (lane === undefined) return;
      sendOn(lane, nowMs);
    }
  };
  const open = async (): Promise<Lane> => {
    const lane: Lane = {
      request: 0,
      dueAtMs: 0,
      idleSinceMs: 0,
      connection: await openConnection(port, {
        onResponse(status, text) {
          const nowMs = performance.now();
          options.onResponse?.(lane.request);
          result.latenciesMs.push(nowMs - lane.dueAtMs);
          if (status !== expectedStatus) {
            result.errors += 1;
            result.firstError ??= `status ${status} instead of ${expectedStatus}: ${text()}`;
          }
          responses += 1;
          lane.idleSinceMs = nowMs;
          idle.push(lane);
          if (responses === arrivalsMs.length) finished.resolve();
          else dispatch();
        },
        onFailure: finished.reject,
      }),
    };
    return lane;
  };

  const lanes = await Promise.all(Array.from({ length: connections }, open));
  idle.push(...lanes);
  startedAtMs = performance.now();
  options.onStart?.();
  const tick = () => {
    dispatch();
    if (next >= arrivalsMs.length) return;
    const waitMs = startedAtMs + (arrivalsMs[next] ?? 0) - performance.now();
    if (waitMs > TIMER_MARGIN_MS) setTimeout(tick, Math.floor(waitMs - 1));
    else setImmediate(tick);
  };
  tick();
  if (arrivalsMs.length === 0) finished.resolve();
  try {
    await finished.promise;
  } finally {
    next = arrivalsMs.length;
    for (const { connection } of lanes) connection.end();
  }
  return result;
}
