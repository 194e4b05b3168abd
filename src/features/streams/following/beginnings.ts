import type { Logger } from '../../../shared/log.ts';
import { readSnapshots, type Snapshots } from '../messages/snapshots.ts';
import type { RecordSources } from '../record-sources.ts';
import { greet, type Join } from './join.ts';
import type { Listeners } from './listeners.ts';
import type { Place } from './place.ts';

/** Topics whose first messages are read together: at most 10,000 trades. One stream may have 100. */
const TOPICS_AT_ONCE = 500;
/** Pause before records that could not be read are read again. */
const RETRY_MS = 100;

export interface BeginningsDependencies {
  sources: RecordSources;
  log: Logger;
  listeners: Listeners;
  /** How far the log was followed; null before the first read. */
  place(): Place | null;
  /** Takes a stream that has its first messages and continues after a position. */
  goOn(join: Join): void;
}

/**
 * Reads the first messages of topics, one read at a time for all waiting streams, while the log is followed
 * further. A stream then continues after the position at which its messages were read.
 */
export class Beginnings {
  readonly #dependencies: BeginningsDependencies;
  readonly #waiting: Join[] = [];
  #isReading = false;

  constructor(dependencies: BeginningsDependencies) {
    this.#dependencies = dependencies;
  }

  add(joins: readonly Join[]): void {
    this.#waiting.push(...joins);
    if (!this.#isReading) void this.#readAll();
  }

  /** Never rejects. */
  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.length > 0) {
      const joins = this.#take();
      const place = this.#dependencies.place();
      if (place === null) for (const join of joins) this.#dependencies.goOn(join);
      else await this.#begin(joins, place);
    }
    this.#isReading = false;
  }

  #take(): Join[] {
    const topics = new Set<string>();
    let count = 0;
    for (const { topics: asked, reader } of this.#waiting) {
      for (const { text } of asked) topics.add(`${text} ${reader.owner?.accountId}`);
      if (count > 0 && topics.size > TOPICS_AT_ONCE) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #begin(joins: readonly Join[], { epoch, id }: Place): Promise<void> {
    const { listeners, goOn } = this.#dependencies;
    // After this position the topics that a reader already follows come with its new topics, in the order of
    // the log.
    for (const { reader } of joins) {
      if (reader.place === null) continue;
      listeners.pause(reader);
      reader.isCatchingUp = true;
      reader.place = id;
    }
    const snapshots = await this.#read(joins, id);
    for (const join of joins) {
      const { reader, topics } = join;
      if (reader.isEnded || snapshots === null) {
        join.onSettled?.();
        continue;
      }
      // The amount is bounded, except for a client that subscribes again and again and reads nothing.
      const isBounded = reader.isFull;
      greet(join, null, false);
      for (const topic of topics)
        for (const message of snapshots.of({ topic, owner: reader.owner })) reader.offer(message, isBounded);
      reader.isCatchingUp = true;
      reader.place = id;
      reader.flush();
      goOn({
        ...join,
        topics: [...reader.topics.values(), ...topics],
        after: { epoch, id },
        greeting: null,
      });
    }
  }

  /** Retries until the records can be read; null when nobody waits for them any more. */
  async #read(joins: readonly Join[], position: bigint): Promise<Snapshots | null> {
    const { sources, log } = this.#dependencies;
    const beginnings = joins.flatMap(({ topics, reader }) =>
      topics.map((topic) => ({ topic, owner: reader.owner })),
    );
    while (joins.some(({ reader }) => !reader.isEnded)) {
      try {
        return await readSnapshots(beginnings, position, sources);
      } catch (err) {
        log.warn({ err, streams: joins.length }, 'streams.beginning_failed');
        await Bun.sleep(RETRY_MS);
      }
    }
    return null;
  }
}
