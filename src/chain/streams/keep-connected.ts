import type { Logger } from '../../shared/log.ts';
import { wait } from '../../shared/loop.ts';
import type { PacedSlot } from '../head.ts';
import { type LeaveReason, StreamWatch } from './stream-watch.ts';

/** The state of one stream, for metrics. */
export interface StreamState {
  readonly source: 'websocket' | 'geyser';
  /** Host and port, for logs and metrics. The rest of the URL may hold a credential. */
  readonly node: string;
  /** The stream is connected and receives slots. */
  isUp: boolean;
  readonly left: Record<LeaveReason, number>;
}

export function newStreamState(source: StreamState['source'], node: string): StreamState {
  return { source, node, isUp: false, left: { ended: 0, silent: 0, lagging: 0, lying: 0 } };
}

export interface StreamTimes {
  silenceMs: number;
  firstBackoffMs: number;
  lastBackoffMs: number;
  /** The least time without a connection to a node that lied or lagged. */
  distrustMs: number;
}

const TIMES: StreamTimes = {
  silenceMs: 5_000,
  firstBackoffMs: 250,
  lastBackoffMs: 30_000,
  distrustMs: 30_000,
};
/** Checks of the connection in each period of silence. */
const CHECKS_PER_SILENCE = 5;

/** A connection reports its messages here, and is judged by them. */
export interface JudgedConnection {
  /** The node has entered a slot. This shows that the connection is alive. */
  onSlot(slot: bigint): void;
  /** Records the slot of a message. Returns false when the message does not count. */
  take(slot: bigint): boolean;
  /** Ends the connection for a reason found in its messages. */
  leave(reason: LeaveReason): void;
}

export interface KeepConnectedOptions {
  state: StreamState;
  /** Opens one connection. Resolves when the signal aborts, rejects when the connection ends otherwise. */
  connect(connection: JudgedConnection, signal: AbortSignal): Promise<void>;
  /** The chain head that this process believes. Null while it believes none. */
  head(): PacedSlot | null;
  log: Logger;
  events: { come: string; lost: string };
  times?: StreamTimes | undefined;
}

/** Keeps one stream connected until the signal aborts. Leaves a connection that is silent, lags or lies. */
export async function keepConnected(options: KeepConnectedOptions, signal: AbortSignal): Promise<void> {
  const { state, log, events, times = TIMES } = options;
  const { source, node } = state;
  let failures = 0;
  while (!signal.aborted) {
    const beganAtMs = performance.now();
    const { reason, message } = await connectOnce(options, times, signal);
    const wasStable = state.isUp && performance.now() - beganAtMs >= times.lastBackoffMs;
    failures = wasStable ? 1 : failures + 1;
    state.isUp = false;
    if (signal.aborted) return;
    state.left[reason] += 1;
    const pauseMs = pauseMsOf(reason, failures, times);
    const level = failures === 1 || reason === 'lying' ? 'warn' : 'debug';
    log[level]({ source, node, reason, message, failures, pauseMs }, events.lost);
    await wait(pauseMs, signal);
  }
}

async function connectOnce(
  { state, connect, head, log, events }: KeepConnectedOptions,
  { silenceMs }: StreamTimes,
  signal: AbortSignal,
): Promise<{ reason: LeaveReason; message: string }> {
  const watch = new StreamWatch({ head, silenceMs });
  const ending = new AbortController();
  let reason: LeaveReason | null = null;
  const leave = (why: LeaveReason) => {
    reason ??= why;
    ending.abort();
  };
  const check = () => {
    const verdict = watch.verdict();
    if (verdict !== null) leave(verdict);
  };
  const take = (slot: bigint) => {
    const isBelieved = watch.take(slot);
    if (!isBelieved) check();
    return isBelieved;
  };
  const onSlot = (slot: bigint) => {
    if (!take(slot)) return;
    if (!state.isUp) log.info({ source: state.source, node: state.node }, events.come);
    state.isUp = true;
  };
  const checking = setInterval(check, silenceMs / CHECKS_PER_SILENCE);
  try {
    await connect({ onSlot, take, leave }, AbortSignal.any([signal, ending.signal]));
    return { reason: reason ?? 'ended', message: '' };
  } catch (error) {
    return { reason: reason ?? 'ended', message: error instanceof Error ? error.message : String(error) };
  } finally {
    clearInterval(checking);
    ending.abort();
  }
}

/** The pause grows with each failure. Its random part keeps workers from reconnecting together. */
function pauseMsOf(
  reason: LeaveReason,
  failures: number,
  { firstBackoffMs, lastBackoffMs, distrustMs }: StreamTimes,
): number {
  const backoffMs = Math.min(lastBackoffMs, firstBackoffMs * 2 ** Math.min(failures - 1, 16));
  const leastMs = reason === 'lying' || reason === 'lagging' ? distrustMs : 0;
  return Math.max(leastMs, backoffMs) * (0.5 + Math.random() / 2);
}
