import type { LogEntry } from './log/read-log.ts';
import type { StreamMessage } from './messages/stream-message.ts';
import type { EndReason } from './readers/reader.ts';

/** Counts of streams and their messages, for the metrics. */
export class StreamTally {
  /** Messages composed, by kind: each is counted once, whatever the number of its readers. */
  readonly composed = new Map<string, number>();
  /** Streams that ended, by reason; `client` when the client went away. */
  readonly ends = new Map<EndReason | 'client', number>();
  conflations = 0;
  /** Called with the time from the row in the log to the last reader's connection; metrics replace it. */
  onLatency: (kind: LogEntry['kind'], ms: number) => void = () => {};

  sent(entries: readonly LogEntry[], messages: readonly StreamMessage[], now: Date): void {
    for (const { event } of messages) this.composed.set(event, (this.composed.get(event) ?? 0) + 1);
    for (const { kind, at } of entries) this.onLatency(kind, Math.max(0, now.getTime() - at.getTime()));
  }

  ended(reason: EndReason | 'client'): void {
    this.ends.set(reason, (this.ends.get(reason) ?? 0) + 1);
  }

  conflated(): void {
    this.conflations += 1;
  }
}
