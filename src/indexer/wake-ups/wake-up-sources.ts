import {
  type JudgedConnection,
  keepConnected,
  newStreamState,
  type StreamState,
  type StreamTimes,
} from '../../chain/streams/keep-connected.ts';
import type { Logger } from '../../shared/log.ts';
import type { AccountChange, StreamListener, WakeUpStream } from './wake-up-stream.ts';
import { hashAccount } from './wake-up-stream.ts';

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
export interface WakeUpStreamState extends StreamState {
  wakeUps: number;
}

export interface WakeUpSourcesDependencies {
  streams: readonly WakeUpStream[];
  /** Slot of the chain head that this process believes; null while it knows none. */
  head(): bigint | null;
  log: Logger;
  times?: StreamTimes;
}

/**
 * All sources at once: the fastest wakes a pool, what the others say of the same slot changes nothing. Nothing is kept but the
 * newest sight of each known pool, so no flood of messages fills the memory.
 */
export class WakeUpSources {
  readonly states: readonly WakeUpStreamState[];
  readonly #dependencies: WakeUpSourcesDependencies;
  #listener: WakeUpListener | null = null;

  constructor(dependencies: WakeUpSourcesDependencies) {
    this.#dependencies = dependencies;
    this.states = dependencies.streams.map(({ source, node }) => ({
      ...newStreamState(source, node),
      wakeUps: 0,
    }));
  }

  /** True while a source would report a change: then the sweep only has to find missed ones. */
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
    const { streams, head, log, times } = this.#dependencies;
    const events = { come: 'indexer.wake_ups_come', lost: 'indexer.wake_ups_lost' };
    await Promise.all(
      streams.map((stream, at) => {
        const state = this.states[at];
        if (state === undefined) return Promise.resolve();
        const connect = (connection: JudgedConnection, until: AbortSignal) =>
          stream.connect(this.#judged(connection, state), until);
        return keepConnected({ state, connect, head, log, events, times }, signal);
      }),
    );
  }

  /** A listener that lets nothing through from a node that is not believed. */
  #judged(connection: JudgedConnection, state: WakeUpStreamState): StreamListener {
    return {
      isKnown: (address) => this.#listener?.isKnown(address) ?? false,
      onSlot: (slot) => connection.onSlot(slot),
      onChange: (change) => {
        if (connection.take(change.slot)) this.#wake(change, state);
      },
    };
  }

  #wake({ poolAddress, slot, data }: AccountChange, state: WakeUpStreamState): void {
    state.wakeUps += 1;
    this.#listener?.onWakeUp({ poolAddress, slot, hash: hashAccount(data) });
  }
}
