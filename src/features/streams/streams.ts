import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { Problem } from '../../shared/problem.ts';
import { formatCursor, type LogPosition } from './cursor.ts';
import { followedAccount } from './following/follow-deliveries.ts';
import { LogFollower } from './following/follow-log.ts';
import { RETRY_MS } from './following/join.ts';
import { Heartbeats } from './heartbeats.ts';
import { KeyWatch } from './key-watch.ts';
import { controlMessage } from './messages/stream-message.ts';
import {
  OpenStreams,
  type StreamHolder,
  type StreamLimits,
  type StreamPlace,
} from './readers/open-streams.ts';
import { type EndReason, type ReaderOptions, StreamReader } from './readers/reader.ts';
import type { RecordSources } from './record-sources.ts';
import { StreamTally } from './tally.ts';

/** How often the accounts whose deliveries are followed are looked at; what is written of them, `FollowedDeliveries` knows. */
const FOLLOWED_LOOK_MS = 10_000;
/** A stream that catches up takes what it was sent, at most some 128 KiB, within this time. */
const CATCH_UP_STALL_MS = 20_000;
/** Within which streams of a process that stops come back elsewhere. */
const DRAIN_SPREAD_MS = 5_000;

export interface StreamsOptions extends StreamLimits {
  bufferBytes: number;
  catchUpStallMs?: number;
}

export interface StreamsDependencies {
  database: Database;
  sources: RecordSources;
  log: Logger;
  clock: Clock;
  /** Those of the keys that may still be used. */
  usableKeys(keyIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The open streams of a process. */
export class Streams {
  readonly follower: LogFollower;
  readonly tally = new StreamTally();
  readonly #readers = new Set<StreamReader>();
  readonly #open: OpenStreams;
  /** What open streams are counted under. */
  readonly #places = new Map<StreamReader, StreamPlace>();
  readonly #heartbeats: Heartbeats;
  readonly #options: StreamsOptions;
  readonly #dependencies: StreamsDependencies;
  readonly #keyWatch: KeyWatch;
  /** Ends what runs while streams are open. */
  #rest: (() => void) | undefined;
  #isDraining = false;

  constructor(options: StreamsOptions, dependencies: StreamsDependencies) {
    const { database: db, sources, clock, log } = dependencies;
    this.#options = options;
    this.#dependencies = dependencies;
    this.#open = new OpenStreams(options);
    this.follower = new LogFollower({
      db,
      sources,
      clock,
      log,
      onTold: (entries, messages) => this.tally.told(entries, messages, clock.now()),
      onAttached: (reader) => this.#heartbeats.greet(reader),
      onLost: () => this.#endAll('position_lost'),
    });
    this.#heartbeats = new Heartbeats(() => this.follower.place);
    this.#keyWatch = new KeyWatch({
      log,
      readers: () => this.#readers,
      usableKeys: dependencies.usableKeys,
      onRevoked: (reader) => this.end(reader, 'key_revoked'),
    });
  }

  get count(): number {
    return this.#readers.size;
  }

  /**
   * A new stream. Throws `stream_limit_reached` when there are too many, and the
   * 503 of a process that is going to stop. Whoever opens it calls `close` when the client has gone.
   */
  open(holder: StreamHolder, { sink, transport }: Pick<ReaderOptions, 'sink' | 'transport'>): StreamReader {
    if (this.#isDraining)
      throw new Problem('api_dependency_unavailable', {
        detail: 'This process is going to stop; ask again.',
      });
    const place = this.#open.take(holder);
    const reader = new StreamReader({
      sink,
      transport,
      bufferBytes: this.#options.bufferBytes,
      stallMs: this.#options.catchUpStallMs ?? CATCH_UP_STALL_MS,
      onSlow: (slow) => this.end(slow, 'slow_reader'),
      onConflated: () => this.tally.conflated(),
      onEnded: (ended, reason) => {
        this.#forget(ended);
        this.tally.ended(reason ?? 'client');
      },
    });
    this.#readers.add(reader);
    this.#places.set(reader, place);
    this.#heartbeats.add(reader);
    this.#rest ??= this.#begin();
    return reader;
  }

  /** A key was presented: the stream counts as one of the key from now on. Throws `stream_limit_reached`. */
  countUnderKey(reader: StreamReader, keyId: string): void {
    const place = this.#places.get(reader);
    if (place === undefined) return;
    this.#places.set(reader, this.#open.move(place, { subject: keyId, hasKey: true, network: null }));
  }

  /** The client has gone. */
  close(reader: StreamReader): void {
    reader.end(null);
  }

  /** Ends a stream, with a last message that says why and where to go on. */
  end(reader: StreamReader, reason: EndReason): void {
    const retryAfterMs =
      reason === 'draining' ? RETRY_MS + Math.floor(Math.random() * DRAIN_SPREAD_MS) : RETRY_MS;
    const position = this.#positionOf(reader);
    const cursor = position === null ? null : formatCursor(position);
    reader.end(reason, controlMessage('end', { reason, cursor, retryAfterMs }));
  }

  /** Up to where a stream got everything: before it has a place here, where it came from. */
  #positionOf(reader: StreamReader): LogPosition | null {
    const { place } = this.follower;
    if (reader.place === null || place === null) return reader.resumesAfter;
    return { epoch: place.epoch, id: reader.isCatchingUp ? reader.place : place.id };
  }

  /** Ends all streams of a process that is going to stop. */
  drain(): void {
    this.#isDraining = true;
    this.#endAll('draining');
  }

  /** Ends what runs besides; for streams, drain first. */
  async stop(): Promise<void> {
    this.drain();
    await this.follower.stop();
  }

  #endAll(reason: EndReason): void {
    for (const reader of [...this.#readers]) this.end(reader, reason);
  }

  #forget(reader: StreamReader): void {
    this.#readers.delete(reader);
    this.#open.release(this.#places.get(reader) ?? []);
    this.#places.delete(reader);
    this.#heartbeats.remove(reader);
    this.follower.listeners.leave(reader);
    if (this.#readers.size > 0) return;
    this.#rest?.();
    this.#rest = undefined;
    this.follower
      .stop()
      .catch((err: unknown) => this.#dependencies.log.error({ err }, 'streams.stop_failed'));
  }

  #followedAccounts(): ReadonlySet<string> {
    return new Set(
      [...this.#readers].flatMap((reader) => followedAccount(reader, [...reader.topics.values()]) ?? []),
    );
  }

  /** What runs while streams are open; the result ends it. */
  #begin(): () => void {
    const stopWatching = this.#keyWatch.start();
    const followed = setInterval(() => void this.#keepFollowed(), FOLLOWED_LOOK_MS);
    return () => {
      stopWatching();
      clearInterval(followed);
    };
  }

  /** Never rejects. */
  async #keepFollowed(): Promise<void> {
    try {
      await this.follower.keepDeliveries(() => this.#followedAccounts());
    } catch (err) {
      this.#dependencies.log.warn({ err }, 'streams.follow_failed');
    }
  }
}
