import { type LoadConnection, type LoadTarget, openConnection } from './connection.ts';

export interface OpenLoopOptions {
  /** The server; a port is that of 127.0.0.1. */
  port: LoadTarget | number;
  connections: number;
  /** When each request is due, in milliseconds from the start, ascending (`poissonArrivals`). */
  arrivalsMs: Float64Array;
  /** The next request as wire bytes. */
  nextRequest(): Uint8Array | undefined;
  expectedStatus: number;
  /** The status of an honest refusal: counted in `refusalsMs`, and no error. */
  refusalStatus?: number;
  /**
   * Opens another connection where one was closed, as proxies do after some requests. A request that was on it counts as
   * an error. If unset, a closed connection ends the run.
   */
  reopens?: boolean;
  /** Called at the moment from which arrivals count. */
  onStart?(): void;
  /** Called when a response is complete; requests are numbered in the order of `nextRequest`. */
  onResponse?(request: number): void;
}

export interface OpenLoopResult {
  /** Time from the moment at which each request was due to the end of its response. */
  latenciesMs: number[];
  /** The same of requests that were refused with `refusalStatus`; they are not in `latenciesMs`. */
  refusalsMs: number[];
  /** Delay of the generator itself: the time for which a request was due, a connection free, and it was not sent. */
  generatorLagsMs: number[];
  errors: number;
  firstError: string | undefined;
  /** Responses by their status. */
  statuses: Record<number, number>;
}

/** Timers fire up to a millisecond late; arrivals nearer than this are polled for. */
const TIMER_MARGIN_MS = 2;

interface Lane {
  /** Null while it is opened. */
  connection: LoadConnection | null;
  /** Number of the request that it carries. */
  request: number;
  dueAtMs: number;
  idleSinceMs: number;
  isBusy: boolean;
}

/**
 * Open loop: requests are due by a schedule made in advance, and latencies count from then, whether or not a connection
 * was free. A stall of the server therefore shows in every request that was due meanwhile (no coordinated omission).
 */
export async function openLoop(options: OpenLoopOptions): Promise<OpenLoopResult> {
  const { port, connections, arrivalsMs, nextRequest, expectedStatus, refusalStatus } = options;
  const result: OpenLoopResult = {
    latenciesMs: [],
    refusalsMs: [],
    generatorLagsMs: [],
    errors: 0,
    firstError: undefined,
    statuses: {},
  };
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
    lane.isBusy = true;
    next += 1;
    result.generatorLagsMs.push(nowMs - Math.max(lane.dueAtMs, lane.idleSinceMs));
    lane.connection?.send(request);
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
  const settle = (lane: Lane, error: string | undefined) => {
    if (error !== undefined) {
      result.errors += 1;
      result.firstError ??= error;
    }
    responses += 1;
    lane.isBusy = false;
    if (responses === arrivalsMs.length) finished.resolve();
  };
  const release = (lane: Lane) => {
    lane.idleSinceMs = performance.now();
    idle.push(lane);
    dispatch();
  };
  const connect = async (lane: Lane) => {
    let hasFailed = false;
    lane.connection = await openConnection(port, {
      onResponse(status, text) {
        const nowMs = performance.now();
        options.onResponse?.(lane.request);
        const isRefusal = status === refusalStatus;
        (isRefusal ? result.refusalsMs : result.latenciesMs).push(nowMs - lane.dueAtMs);
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
        const isExpected = status === expectedStatus || isRefusal;
        settle(lane, isExpected ? undefined : `status ${status} instead of ${expectedStatus}: ${text()}`);
        if (options.reopens === true && /^connection: *close/im.test(text())) {
          lane.connection?.end();
          void replace(lane, null).catch(finished.reject);
        } else release(lane);
      },
      onFailure(error) {
        if (hasFailed) return;
        hasFailed = true;
        if (options.reopens !== true) finished.reject(error);
        else void replace(lane, error).catch(finished.reject);
      },
    });
  };
  const replace = async (lane: Lane, error: Error | null) => {
    const at = idle.indexOf(lane);
    if (at !== -1) idle.splice(at, 1);
    lane.connection = null;
    if (lane.isBusy) settle(lane, error?.message);
    if (responses === arrivalsMs.length) return;
    await connect(lane);
    release(lane);
  };
  const open = async (): Promise<Lane> => {
    const lane: Lane = { connection: null, request: 0, dueAtMs: 0, idleSinceMs: 0, isBusy: false };
    await connect(lane);
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
    for (const { connection } of lanes) connection?.end();
  }
  return result;
}
