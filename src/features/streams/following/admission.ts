import type { Database } from '../../../db/client.ts';
import type { Logger } from '../../../shared/log.ts';
import { type Channel, channelsOf } from '../channels.ts';
import { formatCursor, type LogPosition } from '../cursor.ts';
import type { LogPage } from '../log/read-log.ts';
import { composeMessages } from '../messages/compose.ts';
import { readSnapshots } from '../messages/snapshots.ts';
import type { StreamReader } from '../readers/reader.ts';
import type { RecordSources } from '../record-sources.ts';
import { catchUp } from './catch-up.ts';
import { channelsOfJoin, gapMessage, type Join } from './join.ts';
import type { Listeners } from './listeners.ts';
import type { Place } from './place.ts';

/** Streams that begin between two looks: the next changes are not kept waiting by a storm of them. */
const JOINS_AT_ONCE = 500;
/** Streams that read the past at a time: the pool is there for requests too. */
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
   * stream would be told as news what is old: a follower may be minutes behind.
   */
  present: bigint | null;
}

/** Streams on their way to being told what is new: they begin, continue from memory, or catch up from the table. */
export class Admission {
  readonly #dependencies: AdmissionDependencies;
  #waiting: WaitingJoin[] = [];
  /** Of these, the ones that have to wait for something else. */
  #postponed = 0;
  #catchingUp = 0;
  readonly #farBehind: Resuming[] = [];

  constructor(dependencies: AdmissionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Some wait that were not tried since the last look. */
  get hasMore(): boolean {
    return this.#waiting.length > this.#postponed;
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
    this.#postponed = 0;
    return this.#waiting.splice(0, JOINS_AT_ONCE);
  }

  /** Those that could not be admitted are the next again. */
  putBack(joins: readonly WaitingJoin[]): void {
    this.#waiting.unshift(...joins);
    this.#postponed += joins.length;
  }

  /** Admits joins that were taken before the look at the log that `page` is of. Never rejects. */
  async admit(joining: readonly WaitingJoin[], followed: Place, page: LogPage): Promise<void> {
    const fresh: Join[] = [];
    const near: Resuming[] = [];
    const early: WaitingJoin[] = [];
    for (const waiting of joining) {
      const { join } = waiting;
      const { after, reader } = join;
      waiting.present ??= page.completeThrough;
      if (reader.isEnded) join.onSettled?.();
      else if (followed.id < waiting.present) early.push(waiting);
      else if (after === null) fresh.push(join);
      else if (after.epoch !== followed.epoch || after.id > page.givenOut)
        fresh.push(refuse(join, 'unknown_cursor', null));
      // Another process has read further: this one will.
      else if (after.id > followed.id) early.push(waiting);
      else if (after.id >= followed.window.start) near.push({ ...join, after });
      else if (after.id < page.deletedThrough) fresh.push(refuse(join, 'expired', page.deletedAt));
      else this.#fallBehind({ ...join, after });
    }
    this.putBack(early);
    await Promise.all([
      this.#orPutBack(near, this.#continueAll(near, followed)),
      this.#orPutBack(fresh, this.#beginAll(fresh, followed)),
    ]);
  }

  /** When records cannot be read nothing was said to these yet: they are admitted after the next look. */
  async #orPutBack(joins: readonly Join[], admitted: Promise<void>): Promise<void> {
    try {
      await admitted;
    } catch (err) {
      this.putBack(joins.map((join) => ({ join, present: null })));
      this.#dependencies.log.warn({ err, streams: joins.length }, 'streams.admission_failed');
    }
  }

  /** Streams whose place is in memory: one reading of records for all of them. */
  async #continueAll(joins: readonly Resuming[], { epoch, id, window }: Place): Promise<void> {
    if (joins.length === 0) return;
    const listening = joins.map((join) => ({ join, channels: channelsOfJoin(join) }));
    const all = new Set(listening.flatMap(({ channels }) => [...channels]));
    const wants = (channel: Channel) => all.has(channel);
    let first = id;
    for (const { after } of joins) if (after.id < first) first = after.id;
    const { sources } = this.#dependencies;
    const messages = await composeMessages(window.after(first), { sources, epoch, wants });
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
      if (size > AT_ONCE_BYTES && join.greeting !== null) {
        this.#fallBehind(join);
        continue;
      }
      greet(join, formatCursor(join.after), true);
      for (const message of missed) join.reader.offer(message);
      this.#attach(join, id);
    }
  }

  async #beginAll(joins: readonly Join[], { id }: Pick<Place, 'id'>): Promise<void> {
    if (joins.length === 0) return;
    const beginnings = joins.flatMap(({ topics, reader }) =>
      topics.map((topic) => ({ topic, owner: reader.owner })),
    );
    const snapshots = await readSnapshots(beginnings, id, this.#dependencies.sources);
    for (const join of joins) {
      const { reader, topics } = join;
      if (reader.isEnded) {
        join.onSettled?.();
        continue;
      }
      greet(join, null, false);
      for (const topic of topics)
        for (const message of snapshots.of({ topic, owner: reader.owner })) reader.offer(message, false);
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
    this.#farBehind.push({ ...join, greeting: null });
    this.#catchUpNext();
  }

  #catchUpNext(): void {
    if (this.#catchingUp >= CATCHING_UP_MAX) return;
    const join = this.#farBehind.shift();
    if (join === undefined) return;
    this.#catchingUp += 1;
    const { db, sources, log, followed } = this.#dependencies;
    const dependencies = {
      db,
      sources,
      head: () => followed()?.id ?? join.after.id,
      held: (place: bigint) => {
        const window = followed()?.window;
        return window === undefined || place < window.start ? null : window.after(place);
      },
    };
    catchUp(join, join.after, dependencies)
      .then(
        (caughtUp) => this.add(caughtUp),
        (err: unknown) => {
          log.warn({ err }, 'streams.catch_up_failed');
          // From where it has come to.
          const id = join.reader.place ?? join.after.id;
          setTimeout(() => this.add({ ...join, after: { ...join.after, id } }), RETRY_MS);
        },
      )
      .finally(() => {
        this.#catchingUp -= 1;
        this.#catchUpNext();
      });
  }
}

function greet(join: Join, cursor: string | null, isResumed: boolean): void {
  if (join.greeting !== null) join.reader.offer(join.greeting(cursor, isResumed));
}

/** Says what cannot be continued; the stream then begins anew. */
function refuse(join: Join, reason: 'expired' | 'unknown_cursor', from: Date | null): Join {
  greet(join, null, false);
  join.reader.offer(gapMessage(join.topics, reason, from));
  return { ...join, greeting: null, after: null };
}
