import type { Logger } from '../../shared/log.ts';
import { wait } from '../../shared/loop.ts';
import { hashAccount } from './account-hash.ts';
import { type LeaveReason, StreamWatch } from './stream-watch.ts';
import type { AccountChange, StreamListener, WakeUpStream } from './wake-up-stream.ts';

/** A known pool changed in this slot, and then looked like this. */
export interface WakeUp {
  poolAddress: string;
  slot: bigint;
  hash: string;
}

export interface WakeUpListener {
  isKnown(poolAddress: string): boolean;
  onWakeUp(wakeUp: WakeUp): void;
}

/** What is known of one stream, for metrics. */
export interface StreamState {
  readonly source: WakeUpStream['source'];
  readonly node: string;
  /** Connected, and slots come. */
  isUp: boolean;
  wakeUps: number;
  readonly left: Record<LeaveReason, number>;
}

export interface WakeUpSourcesDependencies {
  streams: readonly WakeUpStream[];
  /** Slot of the chain head that this process believes; null while it knows none. */
  head(): bigint | null;
  log: Logger;
  times?: WakeUpTimes;
}

export interface WakeUpTimes {
  silenceMs: number;
  firstBackoffMs: number;
  lastBackoffMs: number;
  /** A node that lied or lags is left for so long at least. */
  distrustMs: number;
}

const TIMES: WakeUpTimes = {
  silenceMs: 5_000,
  firstBackoffMs: 250,
  lastBackoffMs: 30_000,
  distrustMs: 30_000,
};
/** Looks at a connection in each period of silence. */
const CHECKS_PER_SILENCE = 5;

/**
 * All sources at once: the fastest wakes a pool, what the others say of the same slot changes nothing. Nothing is kept but the
 * newest sight of each known pool, so no flood of messages fills the memory.
 */
export class WakeUpSources {
  readonly states: readonly StreamState[];
  readonly #dependencies: WakeUpSourcesDependencies;
  readonly #times: WakeUpTimes;
  #listener: WakeUpListener | null = null;

  constructor(dependencies: WakeUpSourcesDependencies) {
    this.#dependencies = dependencies;
    this.#times = dependencies.times ?? TIMES;
    this.states = dependencies.streams.map(({ source, node }) => ({
      source,
      node,
      isUp: false,
      wakeUps: 0,
      left: { ended: 0, silent: 0, lagging: 0, lying: 0 },
    }));
  }

  /** Something would tell of a change: then the sweep only has to find what was missed. */
  get isLive(): boolean {
    return this.states.some(({ isUp }) => isUp);
  }

  /** Replaces the listener; returns what removes it. */
  listen(listener: WakeUpListener): () => void {
    this.#listener = listener;
    return () => {
      if (this.#listener === listener) this.#listener = null;
    };
  }

  /** Keeps every stream connected until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { streams } = this.#dependencies;
    await Promise.all(
      streams.map((stream, at) => {
        const state = this.states[at];
        return state === undefined ? Promise.resolve() : this.#keepConnected(stream, state, signal);
      }),
    );
  }

  async #keepConnected(stream: WakeUpStream, state: StreamState, signal: AbortSignal): Promise<void> {
    const { log } = this.#dependencies;
    const { source, node } = stream;
    let failures = 0;
    while (!signal.aborted) {
      const beganAtMs = performance.now();
      const { reason, message } = await this.#connectOnce(stream, state, signal);
      const wasStable = state.isUp && performance.now() - beganAtMs >= this.#times.lastBackoffMs;
      failures = wasStable ? 1 : failures + 1;
      state.isUp = false;
      if (signal.aborted) return;
      state.left[reason] += 1;
      const pauseMs = this.#pauseMs(reason, failures);
      const level = failures === 1 || reason === 'lying' ? 'warn' : 'debug';
      log[level]({ source, node, reason, message, failures, pauseMs }, 'indexer.wake_ups_lost');
      await wait(pauseMs, signal);
    }
  }

  async #connectOnce(
    stream: WakeUpStream,
    state: StreamState,
    signal: AbortSignal,
  ): Promise<{ reason: LeaveReason; message: string }> {
    const { head, log } = this.#dependencies;
    const { silenceMs } = this.#times;
    const watch = new StreamWatch({ head, silenceMs });
    const leave = new AbortController();
    let reason: LeaveReason | null = null;
    const check = () => {
      reason ??= watch.verdict();
      if (reason !== null) leave.abort();
    };
    const checking = setInterval(check, silenceMs / CHECKS_PER_SILENCE);
    try {
      const listener = this.#judged(watch, state, check, () => {
        if (!state.isUp) log.info({ source: stream.source, node: stream.node }, 'indexer.wake_ups_come');
      });
      await stream.connect(listener, AbortSignal.any([signal, leave.signal]));
      return { reason: reason ?? 'ended', message: '' };
    } catch (error) {
      return { reason: reason ?? 'ended', message: error instanceof Error ? error.message : String(error) };
    } finally {
      clearInterval(checking);
      leave.abort();
    }
  }

  /** A listener that lets nothing through from a node that is not believed. */
  #judged(watch: StreamWatch, state: StreamState, check: () => void, onUp: () => void): StreamListener {
    return {
      isKnown: (address) => this.#listener?.isKnown(address) ?? false,
      onSlot: (slot) => {
        if (!watch.take(slot)) return check();
        onUp();
        state.isUp = true;
      },
      onChange: (change) => {
        if (!watch.take(change.slot)) return check();
        this.#wake(change, state);
      },
    };
  }

  #wake({ poolAddress, slot, data }: AccountChange, state: StreamState): void {
    state.wakeUps += 1;
    this.#listener?.onWakeUp({ poolAddress, slot, hash: hashAccount(data) });
  }

  /** Grows with each failure; from half to the whole of it, so that workers do not come back together. */
  #pauseMs(reason: LeaveReason, failures: number): number {
    const { firstBackoffMs, lastBackoffMs, distrustMs } = this.#times;
    const grown = Math.min(lastBackoffMs, firstBackoffMs * 2 ** Math.min(failures - 1, 16));
    const least = reason === 'lying' || reason === 'lagging' ? distrustMs : 0;
    return Math.max(least, grown) * (0.5 + Math.random() / 2);
  }
}
