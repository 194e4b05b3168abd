import type { Logger } from '../../../shared/log.ts';
import type { LogEntry } from '../log/read-log.ts';
import { statsMessage } from '../messages/stats.ts';
import type { StreamMessage } from '../messages/stream-message.ts';
import type { StreamReader } from '../readers/reader.ts';
import type { RecordSources } from '../record-sources.ts';
import type { Listeners } from './listeners.ts';

const PERIOD_MS = 1_000;
/** Tokens that one statement reads. */
const TOKENS_AT_ONCE = 100;

/** Changes after which the statistics of a token may differ; a proof moves the windows. */
const KINDS: ReadonlySet<LogEntry['kind']> = new Set(['trade', 'trade_reverted', 'market', 'proven']);

export interface StatsTickerDependencies {
  sources: Pick<RecordSources, 'stats'>;
  listeners: Listeners;
  log: Logger;
  onComposed(messages: readonly StreamMessage[]): void;
}

/**
 * Sends the statistics of changed tokens once a second, whatever the number of changes. They move no cursor, and a
 * reader may have left between a change and its message: so a stream that begins or continues gets them anew.
 */
export class StatsTicker {
  readonly #dependencies: StatsTickerDependencies;
  #changed = new Set<string>();
  #begun = new Set<StreamReader>();
  #isReading = false;

  constructor(dependencies: StatsTickerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes entries of the log that were sent. */
  note(entries: readonly LogEntry[]): void {
    const { listeners } = this.#dependencies;
    for (const { kind, mintAddress } of entries)
      if (mintAddress !== null && KINDS.has(kind) && listeners.wants(`stats:${mintAddress}`))
        this.#changed.add(mintAddress);
  }

  /** The stream gets the statistics of its topics with the next turn. */
  begin(reader: StreamReader): void {
    if (mintsOf(reader).length > 0) this.#begun.add(reader);
  }

  /** Returns a function that ends the turns. */
  start(): () => void {
    const timer = setInterval(() => void this.tick(), PERIOD_MS);
    return () => clearInterval(timer);
  }

  /** One turn; none while the last one still reads. Never rejects: what it could not read has the next turn. */
  async tick(): Promise<void> {
    if (this.#isReading || (this.#changed.size === 0 && this.#begun.size === 0)) return;
    this.#isReading = true;
    const changed = this.#changed;
    const begun = this.#begun;
    this.#changed = new Set();
    this.#begun = new Set();
    try {
      await this.#send(changed, begun);
    } catch (err) {
      for (const mint of changed) this.#changed.add(mint);
      for (const reader of begun) if (!reader.isEnded) this.#begun.add(reader);
      this.#dependencies.log.warn({ err, tokens: changed.size }, 'streams.stats_failed');
    } finally {
      this.#isReading = false;
    }
  }

  async #send(changed: ReadonlySet<string>, begun: ReadonlySet<StreamReader>): Promise<void> {
    const { listeners, onComposed } = this.#dependencies;
    const mints = [...new Set([...changed, ...[...begun].flatMap(mintsOf)])];
    const messages = await this.#read(mints);
    onComposed([...messages.values()]);
    listeners.send([...messages].flatMap(([mint, message]) => (changed.has(mint) ? [message] : [])));
    for (const reader of begun) {
      // Whoever catches up again begins again afterwards.
      if (reader.isCatchingUp) continue;
      for (const mint of mintsOf(reader)) {
        const message = changed.has(mint) ? undefined : messages.get(mint);
        if (message !== undefined) reader.offer(message);
      }
      reader.flush();
    }
  }

  async #read(mints: readonly string[]): Promise<Map<string, StreamMessage>> {
    const { sources, listeners } = this.#dependencies;
    const wanted = mints.filter((mint) => listeners.wants(`stats:${mint}`));
    const messages = new Map<string, StreamMessage>();
    for (let at = 0; at < wanted.length; at += TOKENS_AT_ONCE) {
      const records = await sources.stats(wanted.slice(at, at + TOKENS_AT_ONCE));
      for (const [mint, record] of records) messages.set(mint, statsMessage(mint, record));
    }
    return messages;
  }
}

function mintsOf(reader: StreamReader): string[] {
  return [...reader.topics.values()].flatMap((topic) => (topic.kind === 'stats' ? [topic.mint] : []));
}
