import type { Database } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Logger } from '../../../shared/log.ts';
import { runLoop, Wakeup } from '../../../shared/loop.ts';
import { type LogPage, readLog } from '../log/read-log.ts';
import { composeMessages, type ToldEntry } from '../messages/compose.ts';
import type { StreamMessage } from '../messages/stream-message.ts';
import type { StreamReader } from '../readers/reader.ts';
import type { RecordSources } from '../record-sources.ts';
import { Admission } from './admission.ts';
import { beginFollowing } from './begin-following.ts';
import { FollowedDeliveries, followedAccount } from './follow-deliveries.ts';
import type { Join } from './join.ts';
import { Listeners } from './listeners.ts';
import type { Place } from './place.ts';

/** Entries of one look. */
const PAGE = 1_000;
/** What a lost hint, or a change that nobody hints at, costs at most. */
const IDLE_MS = 100;
/** Before following deliveries is tried again. */
const RETRY_MS = 500;

export interface FollowerDependencies {
  db: Database;
  sources: RecordSources;
  clock: Clock;
  log: Logger;
  /** Called with entries when all that they tell was handed out. */
  onTold(entries: readonly ToldEntry[], messages: readonly StreamMessage[]): void;
  /** Called when a stream has begun: what it is told from now on is new. */
  onAttached(reader: StreamReader): void;
  /** Called when the place in the log means nothing any more: every stream has to begin again. */
  onLost(): void;
}

/**
 * Follows the log while anybody listens: one reader of the log a process, whatever the number of streams. New streams begin
 * between two looks, so that what they begin with and what they are told next neither overlap nor leave anything out.
 */
export class LogFollower {
  readonly listeners = new Listeners();
  readonly #dependencies: FollowerDependencies;
  readonly #admission: Admission;
  readonly #deliveries: FollowedDeliveries;
  readonly #wakeup = new Wakeup();
  #place: Place | null = null;
  #running: { stop: AbortController; done: Promise<void> } | null = null;
  #before: Promise<void> = Promise.resolve();

  constructor(dependencies: FollowerDependencies) {
    const { db, sources, log, onAttached } = dependencies;
    this.#dependencies = dependencies;
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

  /** Null before the log was read. */
  get place(): Place | null {
    return this.#place;
  }

  /** Something has changed: look now. */
  wake(): void {
    this.#wakeup.wake();
  }

  /** Begins topics after the next look; those of deliveries when the database knows that they are followed. */
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

  /** Keeps the deliveries of these accounts in the log. */
  keepDeliveries(accountIds: () => ReadonlySet<string>): Promise<void> {
    return this.#deliveries.keep(accountIds);
  }

  /** Ends following; what was read is forgotten. */
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
    // Never two at a time: the one before may be in the middle of a step.
    const done = this.#before.then(follow);
    this.#before = done;
    return { stop, done };
  }

  async #step(): Promise<boolean> {
    const joining = this.#admission.take();
    let page: LogPage | null;
    try {
      const { db, clock } = this.#dependencies;
      this.#place ??= await beginFollowing(db, PAGE, clock);
      page = await this.#advance(this.#place);
    } catch (error) {
      this.#admission.putBack(joining);
      throw error;
    }
    if (page === null || this.#place === null) this.#admission.putBack(joining);
    else await this.#admission.admit(joining, this.#place, page);
    return page === null || page.entries.length === PAGE || this.#admission.hasMore;
  }

  /** Reads what is new and tells it. Null when the place was lost. After a failure nothing has moved. */
  async #advance(known: Place): Promise<LogPage | null> {
    const { db, sources, clock, onTold, onLost } = this.#dependencies;
    const { id: start, window } = known;
    const page = await readLog(db, start, PAGE);
    const { epoch, provenThrough, completeThrough, deletedThrough } = page;
    if (epoch !== known.epoch || deletedThrough > start) {
      // Where the streams were is still known while they end.
      onLost();
      this.#place = null;
      return null;
    }
    const entries: ToldEntry[] = page.entries;
    const messages = await composeMessages(entries, { sources, epoch, wants: this.listeners.wants });
    window.add(entries);
    const isMore = entries.length === PAGE;
    let id = start;
    if (isMore) id = entries.at(-1)?.id ?? start;
    // A transaction may announce itself with an older id than was complete already: it will write newer ones.
    else if (completeThrough > start) id = completeThrough;
    const readAt = isMore ? known.readAt : clock.now();
    this.#place = { epoch, id, window, provenThrough, readAt };
    this.listeners.tell(messages);
    onTold(entries, messages);
    return page;
  }
}
