import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { Problem } from '../../shared/problem.ts';
import { formatCursor, type LogPosition } from './cursor.ts';
import { followedAccount } from './following/follow-deliveries.ts';
import { LogFollower } from './following/follow-log.ts';
import { RETRY_MS } from './following/join.ts';
import { StatsTicker } from './following/stats-ticker.ts';
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

/**
 * How often the open streams are searched for accounts to follow; `FollowedDeliveries` decides when to write.
 */
const FOLLOWED_LOOK_MS = 10_000;
/** A stream that catches up must take a write, at most about 128 KiB, within this time. */
const CATCH_UP_STALL_MS = 20_000;
/** The streams of a stopping process reconnect elsewhere, spread over this time. */
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
  /** The keys that are still valid. */
  usableKeys(keyIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The open streams of a process. */
export class Streams {
  readonly follower: LogFollower;
  readonly tally = new StreamTally();
  readonly #readers = new Set<StreamReader>();
  readonly #open: OpenStreams;
  /** The counters of each open stream. */
  readonly #places = new Map<StreamReader, StreamPlace>();
  readonly #heartbeats: Heartbeats;
  readonly #stats: StatsTicker;
  readonly #options: StreamsOptions;
  readonly #dependencies: StreamsDependencies;
  readonly #keyWatch: KeyWatch;
  /** Stops the timers that run while streams are open. */
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
      onSent: (entries, messages) => {
        this.tally.sent(entries, messages, clock.now());
        this.#stats.note(entries);
      },
      onAttached: (reader) => {
        this.#heartbeats.greet(reader);
        this.#stats.begin(reader);
      },
      onLost: () => this.#endAll('position_lost'),
    });
    this.#heartbeats = new Heartbeats(() => this.follower.place);
    this.#stats = new StatsTicker({
      sources,
      listeners: this.follower.listeners,
      log,
      onComposed: (messages) => this.tally.sent([], messages, clock.now()),
    });
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
   * Opens a stream. Throws `stream_limit_reached` when there are too many, and a 503 while the process stops.
   * The caller calls `close` when the client has gone.
   */
  open(holder: StreamHolder, { sink, transport }: Pick<ReaderOptions, 'sink' | 'transport'>): StreamReader {
    if (this.#isDraining)
      throw new Problem('api_dependency_unavailable', {
        detail: 'This process is stopping; send the request again.',
      });
    const place = this.#open.take(holder);
    const reader = new StreamReader({
      sink,
      transport,
      subject: holder.subject,
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

  /** Counts the stream under the key that it presented. Throws `stream_limit_reached`. */
  countUnderKey(reader: StreamReader, keyId: string): void {
    const place = this.#places.get(reader);
    if (place === undefined) return;
    this.#places.set(reader, this.#open.move(place, { subject: keyId, hasKey: true, network: null }));
  }

  /** Removes the stream of a client that has gone. */
  close(reader: StreamReader): void {
    reader.end(null);
  }

  /** Ends a stream, with a last message that gives the reason and the cursor. */
  end(reader: StreamReader, reason: EndReason): void {
    const retryAfterMs =
      reason === 'draining' ? RETRY_MS + Math.floor(Math.random() * DRAIN_SPREAD_MS) : RETRY_MS;
    const position = this.#positionOf(reader);
    const cursor = position === null ? null : formatCursor(position);
    reader.end(reason, controlMessage('end', { reason, cursor, retryAfterMs }, null, retryAfterMs));
  }

  /** The position up to which a stream got everything: its own or, before it has one, its cursor. */
  #positionOf(reader: StreamReader): LogPosition | null {
    const { place } = this.follower;
    if (reader.place === null || place === null) return reader.resumesAfter;
    return { epoch: place.epoch, id: reader.isCatchingUp ? reader.place : place.entryId };
  }

  /** Ends all streams of a process that is about to stop. */
  drain(): void {
    this.#isDraining = true;
    this.#endAll('draining');
  }

  /** Stops the timers and the follower; call `drain` first. */
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

  /** Starts the timers that run while streams are open; the returned function stops them. */
  #begin(): () => void {
    const stopWatching = this.#keyWatch.start();
    const stopStats = this.#stats.start();
    const followed = setInterval(() => void this.#keepFollowed(), FOLLOWED_LOOK_MS);
    return () => {
      stopWatching();
      stopStats();
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
