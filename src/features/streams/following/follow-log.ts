import type { Database } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Logger } from '../../../shared/log.ts';
import { runLoop, Wakeup } from '../../../shared/loop.ts';
import { findKeptPositions, type LogPage, readLog } from '../log/read-log.ts';
import { type ComposedEntry, composeMessages } from '../messages/compose.ts';
import type { StreamMessage } from '../messages/stream-message.ts';
import type { StreamReader } from '../readers/reader.ts';
import type { RecordSources } from '../record-sources.ts';
import { beginFollowing } from './begin-following.ts';
import { Admission } from './begin-or-resume.ts';
import { FollowedDeliveries, followedAccount } from './follow-deliveries.ts';
import type { Join } from './join.ts';
import { Listeners } from './listeners.ts';
import type { Place } from './place.ts';

const PAGE_ENTRIES = 1_000;
/** The longest delay of a change whose hint was lost, or that has no hint. */
const IDLE_MS = 100;
/** Pause before following deliveries is tried again. */
const RETRY_MS = 500;

export interface FollowerDependencies {
  db: Database;
  sources: RecordSources;
  clock: Clock;
  log: Logger;
  /** Entries of one page, for tests. */
  pageEntries?: number;
  /** Called with entries after all their messages were sent. */
  onSent(entries: readonly ComposedEntry[], messages: readonly StreamMessage[]): void;
  /** Called when a stream has begun: from now on it gets new messages. */
  onAttached(reader: StreamReader): void;
  /** Called when the position in the log is no longer valid: every stream has to begin again. */
  onLost(): void;
}

/**
 * Follows the log while anybody listens: one reader of the log per process, whatever the number of streams.
 * New streams begin between two pages, so that their first messages and the next ones neither overlap nor
 * leave anything out.
 */
export class LogFollower {
  readonly listeners = new Listeners();
  readonly #dependencies: FollowerDependencies;
  readonly #admission: Admission;
  readonly #deliveries: FollowedDeliveries;
  readonly #wakeup = new Wakeup();
  readonly #pageEntries: number;
  #place: Place | null = null;
  #running: { stop: AbortController; done: Promise<void> } | null = null;
  #before: Promise<void> = Promise.resolve();

  constructor(dependencies: FollowerDependencies) {
    const { db, sources, log, onAttached } = dependencies;
    this.#dependencies = dependencies;
    this.#pageEntries = dependencies.pageEntries ?? PAGE_ENTRIES;
    this.#deliveries = new FollowedDeliveries(db);
    this.#admission = new Admission({
      db,
      sources,
      log,
      onAttached,
      listeners: this.listeners,
      followed: () => this.#place,
      onWaiting: () => {
        this.#running ??= this.#start();
        this.wake();
      },
    });
  }

  /** Null before the first read of the log. */
  get place(): Place | null {
    return this.#place;
  }

  /** Reads the log now, because something has changed. */
  wake(): void {
    this.#wakeup.wake();
  }

  /**
   * Begins topics after the next read; those of deliveries once the database knows that they are followed.
   */
  join(join: Join): void {
    if (join.reader.place === null) join.reader.resumesAfter = join.after;
    const accountId = join.reader.isEnded ? null : followedAccount(join.reader, join.topics);
    if (accountId === null) {
      this.#admission.add(join);
      return;
    }
    this.#deliveries.follow(accountId).then(
      () => this.#admission.add(join),
      (err: unknown) => {
        this.#dependencies.log.warn({ err }, 'streams.follow_failed');
        setTimeout(() => this.join(join), RETRY_MS);
      },
    );
  }

  keepDeliveries(accountIds: () => ReadonlySet<string>): Promise<void> {
    return this.#deliveries.keep(accountIds);
  }

  /** Ends following and forgets the entries that were read. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    running?.stop.abort();
    await running?.done;
    if (this.#running === null) this.#place = null;
  }

  #start() {
    const stop = new AbortController();
    const follow = () =>
      runLoop({
        name: 'stream-follower',
        log: this.#dependencies.log,
        signal: stop.signal,
        idleMs: IDLE_MS,
        wakeup: this.#wakeup,
        step: () => this.#step(),
      });
    // Two never run at the same time: the previous one may be in the middle of a step.
    const done = this.#before.then(follow);
    this.#before = done;
    return { stop, done };
  }

  async #step(): Promise<boolean> {
    const joining = this.#admission.take();
    let page: LogPage | null;
    try {
      const { db, clock } = this.#dependencies;
      this.#place ??= await beginFollowing(db, this.#pageEntries, clock);
      page = await this.#advance(this.#place);
    } catch (error) {
      this.#admission.putBack(joining);
      throw error;
    }
    if (page === null || this.#place === null) this.#admission.putBack(joining);
    else await this.#admission.admit(joining, this.#place, page);
    return page === null || page.entries.length === this.#pageEntries || this.#admission.hasMore;
  }

  /**
   * Reads new entries and sends their messages. Null when the position was lost. After a failure nothing has
   * moved.
   */
  async #advance(known: Place): Promise<LogPage | null> {
    const { db, sources, clock, onSent, onLost } = this.#dependencies;
    const { id: start, entryId, window } = known;
    const page = await readLog(db, start, this.#pageEntries);
    const { epoch, provenThrough, completeThrough, deletedThrough, timelineStart } = page;
    if (epoch !== known.epoch || deletedThrough > start || (await this.#hasLost(known, page))) {
      // The positions of the streams are still known while they end.
      onLost();
      this.#place = null;
      return null;
    }
    const entries: ComposedEntry[] = page.entries;
    const messages = await composeMessages(entries, { sources, epoch, interest: this.listeners });
    window.add(entries);
    const isMore = entries.length === this.#pageEntries;
    let id = start;
    if (isMore) id = entries.at(-1)?.id ?? start;
    // A transaction may announce an older id than was complete already. It will write only newer ones.
    else if (completeThrough > start) id = completeThrough;
    const readAt = isMore ? known.readAt : clock.now();
    this.#place = {
      epoch,
      id,
      timelineStart,
      window,
      provenThrough,
      readAt,
      entryId: entries.at(-1)?.id ?? entryId,
    };
    this.listeners.send(messages);
    onSent(entries, messages);
    return page;
  }

  /** True when a standby was promoted to which entries that were sent had not come. */
  async #hasLost({ entryId, timelineStart }: Place, page: LogPage): Promise<boolean> {
    if (page.timelineStart === timelineStart || entryId >= page.timelineStart) return false;
    return (await findKeptPositions(this.#dependencies.db, [entryId])).size === 0;
  }
}
