import type { Database } from '../../../db/client.ts';
import { Gate } from '../../../shared/gate.ts';
import type { Logger } from '../../../shared/log.ts';
import { channelsOf } from '../channels.ts';
import { formatCursor, type LogPosition } from '../cursor.ts';
import { findKeptPositions, type LogPage } from '../log/read-log.ts';
import { composeMessages, concerns } from '../messages/compose.ts';
import { ChannelSet } from '../messages/interest.ts';
import type { StreamReader } from '../readers/reader.ts';
import type { RecordSources } from '../record-sources.ts';
import { Beginnings } from './beginnings.ts';
import { catchUp } from './catch-up.ts';
import { channelsOfJoin, gapMessage, greet, type Join } from './join.ts';
import type { Listeners } from './listeners.ts';
import type { Place } from './place.ts';

/**
 * Streams that begin between two reads of the log. A burst of new streams must not delay the next changes.
 */
const JOINS_AT_ONCE = 500;
/** Entries that are composed for new streams between two reads, about one page. */
const ENTRIES_AT_ONCE = 1_000;
/** Pages of the past that are read at the same time; requests use the same connection pool. */
const CATCHING_UP_MAX = 4;
/** Pause before a stream that failed to catch up tries again. */
const RETRY_MS = 100;
/** Bytes that a returning stream is sent at once; it gets more as fast as its connection takes them. */
const AT_ONCE_BYTES = 256 * 1024;

export interface AdmissionDependencies {
  db: Database;
  sources: RecordSources;
  log: Logger;
  listeners: Listeners;
  /** Null before the first read of the log. */
  followed(): Place | null;
  /** Called when a stream has begun: from now on it gets new messages. */
  onAttached(reader: StreamReader): void;
  /** Called when streams wait to begin. */
  onWaiting(): void;
}

type Resuming = Join & { after: LogPosition };

export interface WaitingJoin {
  join: Join;
  /**
   * How far the log was complete at the first read after the stream was opened; null before that read. A
   * stream that is admitted earlier would get old changes as news, because a follower may be minutes late.
   */
  present: bigint | null;
}

/** Brings streams to the present: they begin, continue from memory, or catch up from the table. */
export class Admission {
  readonly #dependencies: AdmissionDependencies;
  readonly #beginnings: Beginnings;
  readonly #catchingUp = new Gate({ runningMax: CATCHING_UP_MAX });
  #waiting: WaitingJoin[] = [];
  /** Joins that wait for a part of the log that is not there yet. They use no turn of others. */
  #early: WaitingJoin[] = [];

  constructor(dependencies: AdmissionDependencies) {
    this.#dependencies = dependencies;
    const { sources, log, listeners, followed: place } = dependencies;
    this.#beginnings = new Beginnings({ sources, log, listeners, place, goOn: (join) => this.add(join) });
  }

  /** True when joins wait that were not tried since the last read. */
  get hasMore(): boolean {
    return this.#waiting.length > 0;
  }

  /** The join waits for the next read. */
  add(join: Join): void {
    if (join.reader.isEnded) {
      join.onSettled?.();
      return;
    }
    this.#waiting.push({ join, present: null });
    this.#dependencies.onWaiting();
  }

  /**
   * The joins to admit next. Take them before the read: a cursor from another process was complete by then.
   */
  take(): WaitingJoin[] {
    const early = this.#early;
    this.#early = [];
    return [...early, ...this.#waiting.splice(0, JOINS_AT_ONCE)];
  }

  /** Joins that could not be admitted are tried again after the next read. */
  putBack(joins: readonly WaitingJoin[]): void {
    this.#early.push(...joins);
  }

  /** Admits joins that were taken before the read that returned `page`. Never rejects. */
  async admit(joining: readonly WaitingJoin[], followed: Place, page: LogPage): Promise<void> {
    const fresh: Join[] = [];
    const near: Resuming[] = [];
    const due = joining.filter((waiting) => !this.#isEarly(waiting, followed, page));
    this.#waiting.unshift(...due.slice(JOINS_AT_ONCE));
    const admitted = due.slice(0, JOINS_AT_ONCE);
    const isLost = await this.#lostPositions(admitted, page);
    if (isLost === null) return;
    for (const { join } of admitted) {
      const { after, reader } = join;
      if (reader.isEnded) join.onSettled?.();
      else if (after === null) fresh.push(join);
      else if (!isKnown(after, followed, page) || isLost(after))
        fresh.push(refuse(join, 'unknown_cursor', null));
      else if (after.id >= followed.window.start) near.push({ ...join, after });
      else if (after.id < page.deletedThrough) fresh.push(refuse(join, 'expired', page.deletedAt));
      else this.#fallBehind({ ...join, after });
    }
    if (fresh.length > 0) this.#beginnings.add(fresh);
    try {
      await this.#continueAll(near, followed);
    } catch (err) {
      // These streams were sent nothing yet, so they are admitted after the next read.
      this.putBack(near.map((join) => ({ join, present: null })));
      this.#dependencies.log.warn({ err, streams: near.length }, 'streams.admission_failed');
    }
  }

  /**
   * Finds positions on an earlier timeline to which this server has not come: a standby was promoted, or a
   * backup restored. Null when that could not be asked; the joins are then tried after the next read.
   */
  async #lostPositions(
    joins: readonly WaitingJoin[],
    { timelineStart }: LogPage,
  ): Promise<((position: LogPosition) => boolean) | null> {
    const earlier = joins.flatMap(({ join: { after } }) =>
      after !== null && after.id < timelineStart ? [after.id] : [],
    );
    if (earlier.length === 0) return () => false;
    try {
      const kept = await findKeptPositions(this.#dependencies.db, earlier);
      return ({ id }) => id < timelineStart && !kept.has(id);
    } catch (err) {
      this.putBack(joins);
      this.#dependencies.log.warn({ err, streams: joins.length }, 'streams.admission_failed');
      return null;
    }
  }

  /**
   * True when the log must be read further first: to the present, or to the position that another process has
   * read.
   */
  #isEarly(waiting: WaitingJoin, followed: Place, page: LogPage): boolean {
    const { after, reader } = waiting.join;
    waiting.present ??= page.completeThrough;
    const isAhead = after !== null && isKnown(after, followed, page) && after.id > followed.id;
    const isEarly = !reader.isEnded && (followed.id < waiting.present || isAhead);
    if (isEarly) this.#early.push(waiting);
    return isEarly;
  }

  /**
   * Continues streams whose position is in memory, with one read of the records for all of them. Streams that
   * missed much catch up.
   */
  async #continueAll(joins: readonly Resuming[], { epoch, id, window }: Place): Promise<void> {
    if (joins.length === 0) return;
    const listening = joins.map((join) => ({ join, channels: new ChannelSet(channelsOfJoin(join)) }));
    const interest = new ChannelSet(joins.flatMap(channelsOfJoin));
    let first = id;
    for (const { after } of joins) if (after.id < first) first = after.id;
    const entries = window.after(first).filter((entry) => concerns(entry, interest));
    const cut = entries.at(-ENTRIES_AT_ONCE - 1)?.id ?? first;
    const { sources } = this.#dependencies;
    const messages = await composeMessages(entries.slice(-ENTRIES_AT_ONCE), { sources, epoch, interest });
    for (const { join, channels } of listening) {
      if (join.reader.isEnded) {
        join.onSettled?.();
        continue;
      }
      const missed = messages.filter(
        (message) => (message.place === 0n || message.place > join.after.id) && channels.takes(message),
      );
      const size = missed.reduce((sum, message) => sum + message.size, 0);
      if (join.after.id < cut || size > AT_ONCE_BYTES) {
        this.#fallBehind(join);
        continue;
      }
      greet(join, formatCursor(join.after), true);
      for (const message of missed) join.reader.offer(message);
      this.#attach(join, id);
    }
  }

  /** The reader gets new messages from now on. */
  #attach({ reader, topics, onSettled }: Join, id: bigint): void {
    for (const topic of topics) {
      reader.topics.set(topic.text, topic);
      this.#dependencies.listeners.listen(reader, channelsOf(topic, reader.owner));
    }
    reader.isCatchingUp = false;
    reader.place = id;
    this.#dependencies.onAttached(reader);
    reader.flush();
    onSettled?.();
  }

  #fallBehind(join: Resuming): void {
    greet(join, formatCursor(join.after), true);
    join.reader.isCatchingUp = true;
    join.reader.place = join.after.id;
    join.reader.flush();
    const { db, sources, log, followed } = this.#dependencies;
    const dependencies = {
      db,
      sources,
      gate: this.#catchingUp,
      head: () => followed()?.id ?? join.after.id,
      held: (place: bigint) => {
        const window = followed()?.window;
        return window === undefined || place < window.start ? null : window.after(place);
      },
    };
    catchUp({ ...join, greeting: null }, join.after, dependencies).then(
      (caughtUp) => this.add(caughtUp),
      (err: unknown) => {
        log.warn({ err }, 'streams.catch_up_failed');
        // Continue from the position that it has reached.
        const id = join.reader.place ?? join.after.id;
        setTimeout(() => this.add({ ...join, greeting: null, after: { ...join.after, id } }), RETRY_MS);
      },
    );
  }
}

/** Whether a position belongs to this log and was given out already. */
function isKnown({ epoch, id }: LogPosition, followed: Place, { givenOut }: LogPage): boolean {
  return epoch === followed.epoch && id <= givenOut;
}

/** Sends the reason why the stream cannot continue; the stream then begins anew. */
function refuse(join: Join, reason: 'expired' | 'unknown_cursor', from: Date | null): Join {
  greet(join, null, false);
  join.reader.offer(gapMessage(join.topics, reason, from));
  join.reader.resumesAfter = null;
  return { ...join, greeting: null, after: null };
}
