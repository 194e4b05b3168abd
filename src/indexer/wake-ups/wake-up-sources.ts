import type { PacedSlot } from '../../chain/head.ts';
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

/** A change of a known pool: the slot, and a hash of its account after it. */
export interface WakeUp {
  poolAddress: string;
  slot: bigint;
  hash: string;
}

export interface WakeUpListener {
  isKnown(poolAddress: string): boolean;
  onWakeUp(wakeUp: WakeUp): void;
}

/** The state of one stream, for metrics. */
export interface WakeUpStreamState extends StreamState {
  wakeUps: number;
}

export interface WakeUpSourcesDependencies {
  streams: readonly WakeUpStream[];
  /** The chain head that this process believes. Null while it believes none. */
  head(): PacedSlot | null;
  log: Logger;
  times?: StreamTimes;
}

/**
 * All sources together: the fastest one wakes a pool, and later reports of the same slot change nothing. Only
 * the newest state of each known pool is kept, so no flood of messages fills the memory.
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

  /** True while at least one source would report a change. The sweep then only has to find missed ones. */
  get isLive(): boolean {
    return this.states.some(({ isUp }) => isUp);
  }

  /** Replaces the listener. Returns a function that removes it. */
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

  /** A listener that drops all messages of a node that is not believed. */
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
