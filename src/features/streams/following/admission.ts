import type { Database } from '../../../db/client.ts';
import { Gate } from '../../../shared/gate.ts';
import type { Logger } from '../../../shared/log.ts';
import { channelsOf } from '../channels.ts';
import { formatCursor, type LogPosition } from '../cursor.ts';
import type { LogPage } from '../log/read-log.ts';
import { composeMessages, concerns } from '../messages/compose.ts';
import type { StreamReader } from '../readers/reader.ts';
import type { RecordSources } from '../record-sources.ts';
import { Beginnings } from './beginnings.ts';
import { catchUp } from './catch-up.ts';
import { channelsOfJoin, gapMessage, greet, type Join } from './join.ts';
import type { Listeners } from './listeners.ts';
import type { Place } from './place.ts';

/** Streams that begin between two looks: the next changes are not kept waiting by a storm of them. */
const JOINS_AT_ONCE = 500;
/** Entries that are composed for streams between two looks, about as many as one look has. */
const ENTRIES_AT_ONCE = 1_000;
/** Pages of the past that are read at a time: the pool is there for requests too. */
const CATCHING_UP_MAX = 4;
/** Before a stream that failed to catch up tries again. */
const RETRY_MS = 100;
/** What a stream that comes back is sent at once; more comes as fast as its connection takes it. */
const AT_ONCE_BYTES = 256 * 1024;

export interface AdmissionDependencies {
  db: Database;
  sources: RecordSources;
  log: Logger;
  listeners: Listeners;
  /** Null before the log was read. */
  followed(): Place | null;
  /** Called when a stream has begun: what it is told from now on is new. */
  onAttached(reader: StreamReader): void;
  /** Called when streams wait to begin. */
  onWaiting(): void;
}

/** A stream that continues. */
type Resuming = Join & { after: LogPosition };

/** A join that waits to be admitted. */
export interface WaitingJoin {
  join: Join;
  /**
   * How far the log was complete at the first look after the stream was opened; null before it. Admitted earlier, the
   * stream would get as news what is old: a follower may be minutes behind.
   */
  present: bigint | null;
}

/** Streams on their way to being told what is new: they begin, continue from memory, or catch up from the table. */
export class Admission {
  readonly #dependencies: AdmissionDependencies;
  readonly #beginnings: Beginnings;
  readonly #catchingUp = new Gate({ runningMax: CATCHING_UP_MAX });
  #waiting: WaitingJoin[] = [];
  /** Those that wait for what is not there yet, for example a part of the log: they take nobody's turn. */
  #early: WaitingJoin[] = [];

  constructor(dependencies: AdmissionDependencies) {
    this.#dependencies = dependencies;
    const { sources, log, listeners, followed: place } = dependencies;
    this.#beginnings = new Beginnings({ sources, log, listeners, place, goOn: (join) => this.add(join) });
  }

  /** Some wait that were not tried since the last look. */
  get hasMore(): boolean {
    return this.#waiting.length > 0;
  }

  /** Lets a join wait for the next look. */
  add(join: Join): void {
    if (join.reader.isEnded) {
      join.onSettled?.();
      return;
    }
    this.#waiting.push({ join, present: null });
    this.#dependencies.onWaiting();
  }

  /** The next to be admitted. Taken before a look: what a cursor of another process knows of was complete by then. */
  take(): WaitingJoin[] {
    const early = this.#early;
    this.#early = [];
    return [...early, ...this.#waiting.splice(0, JOINS_AT_ONCE)];
  }

  /** Those that could not be admitted are tried again after the next look. */
  putBack(joins: readonly WaitingJoin[]): void {
    this.#early.push(...joins);
  }

  /** Admits joins that were taken before the look at the log that `page` is of. Never rejects. */
  async admit(joining: readonly WaitingJoin[], followed: Place, page: LogPage): Promise<void> {
    const fresh: Join[] = [];
    const near: Resuming[] = [];
    const due = joining.filter((waiting) => !this.#isEarly(waiting, followed, page));
    this.#waiting.unshift(...due.slice(JOINS_AT_ONCE));
    for (const { join } of due.slice(0, JOINS_AT_ONCE)) {
      const { after, reader } = join;
      if (reader.isEnded) join.onSettled?.();
      else if (after === null) fresh.push(join);
      else if (!isKnown(after, followed, page)) fresh.push(refuse(join, 'unknown_cursor', null));
      else if (after.id >= followed.window.start) near.push({ ...join, after });
      else if (after.id < page.deletedThrough) fresh.push(refuse(join, 'expired', page.deletedAt));
      else this.#fallBehind({ ...join, after });
    }
    if (fresh.length > 0) this.#beginnings.add(fresh);
    try {
      await this.#continueAll(near, followed);
    } catch (err) {
      // Nothing was said to these yet: they are admitted after the next look.
      this.putBack(near.map((join) => ({ join, present: null })));
      this.#dependencies.log.warn({ err, streams: near.length }, 'streams.admission_failed');
    }
  }

  /** The log has to be followed further first: to the present, or to where another process has read it. */
  #isEarly(waiting: WaitingJoin, followed: Place, page: LogPage): boolean {
    const { after, reader } = waiting.join;
    waiting.present ??= page.completeThrough;
    const isAhead = after !== null && isKnown(after, followed, page) && after.id > followed.id;
    const isEarly = !reader.isEnded && (followed.id < waiting.present || isAhead);
    if (isEarly) this.#early.push(waiting);
    return isEarly;
  }

  /** Streams whose place is in memory: one reading of records for all of them. Those that miss much catch up. */
  async #continueAll(joins: readonly Resuming[], { epoch, id, window }: Place): Promise<void> {
    if (joins.length === 0) return;
    const listening = joins.map((join) => ({ join, channels: channelsOfJoin(join) }));
    const all = new Set(listening.flatMap(({ channels }) => [...channels]));
    const wants = (channel: string) => all.has(channel);
    let first = id;
    for (const { after } of joins) if (after.id < first) first = after.id;
    const entries = window.after(first).filter((entry) => concerns(entry, wants));
    const cut = entries.at(-ENTRIES_AT_ONCE - 1)?.id ?? first;
    const { sources } = this.#dependencies;
    const messages = await composeMessages(entries.slice(-ENTRIES_AT_ONCE), { sources, epoch, wants });
    for (const { join, channels } of listening) {
      if (join.reader.isEnded) {
        join.onSettled?.();
        continue;
      }
      const missed = messages.filter(
        (message) =>
          (message.place === 0n || message.place > join.after.id) &&
          message.channels.some((channel) => channels.has(channel)),
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

  /** From now on the reader is told what comes. */
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
        // From where it has come to.
        const id = join.reader.place ?? join.after.id;
        setTimeout(() => this.add({ ...join, greeting: null, after: { ...join.after, id } }), RETRY_MS);
      },
    );
  }
}

/** A place of this log, as far as it was given out. */
function isKnown({ epoch, id }: LogPosition, followed: Place, { givenOut }: LogPage): boolean {
  return epoch === followed.epoch && id <= givenOut;
}

/** Says what cannot be continued; the stream then begins anew. */
function refuse(join: Join, reason: 'expired' | 'unknown_cursor', from: Date | null): Join {
  greet(join, null, false);
  join.reader.offer(gapMessage(join.topics, reason, from));
  join.reader.resumesAfter = null;
  return { ...join, greeting: null, after: null };
}
