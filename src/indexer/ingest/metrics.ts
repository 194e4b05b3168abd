import { ingestKinds, ingestSubject } from '../../shared/bus/topology.ts';
import type { Clock } from '../../shared/clock.ts';
import { LabelledCounts } from '../../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { Readiness } from '../../shared/readiness.ts';
import type { AcknowledgedMessage } from './acknowledge.ts';

const kindBySubject = new Map<string, string>(ingestKinds.map((kind) => [ingestSubject(kind), kind]));
const TRADE_SUBJECT = ingestSubject('trade');

/** A working subscription reports every second. */
const SILENCE_MAX_SECONDS = 15;

/**
 * Counts settled ingest messages, and records the age of the newest applied trade and the last sign of life
 * of ingest.
 */
export class IngestCounts {
  readonly #counts: LabelledCounts;
  readonly #clock: Clock;
  #lastTrade: { data: Uint8Array; appliedAtMs: number } | null = null;
  #heardAtMs = performance.now();

  constructor(metrics: ProcessMetrics, clock: Clock) {
    this.#clock = clock;
    this.#counts = new LabelledCounts(metrics, 'launchwire_ingest_messages_total', {
      help: 'Ingest messages by kind, reason and outcome: applied, rejected, or waiting (the message is delivered again)',
      labels: ['kind', 'outcome', 'reason'],
      known: ingestKinds.map((kind) => [kind, 'applied', '']),
    });
    metrics.liveGauge(
      'launchwire_ingest_lag_seconds',
      'Age of the last applied trade, by its block time, when it was applied. No value before the first trade',
      () => {
        const last = this.#readLastTrade();
        return last === null ? null : (last.appliedAtMs - last.blockTimeMs) / 1000;
      },
    );
    metrics.liveGauge(
      'launchwire_ingest_last_trade_timestamp_seconds',
      'Block time of the last applied trade. No value before the first trade',
      () => {
        const last = this.#readLastTrade();
        return last === null ? null : last.blockTimeMs / 1000;
      },
    );
    metrics.liveGauge(
      'launchwire_ingest_silence_seconds',
      'Time since ingest last recorded its position. It does so every second while broker and database respond',
      () => this.#silenceSeconds,
    );
  }

  get #silenceSeconds(): number {
    return (performance.now() - this.#heardAtMs) / 1_000;
  }

  /** Called when ingest has applied the ready messages and recorded its position. */
  heard(): void {
    this.#heardAtMs = performance.now();
  }

  /** Not ready while ingest gives no sign of life: messages that wait in the stream are not in the tables. */
  get readiness(): Readiness {
    const check = async () =>
      this.#silenceSeconds > SILENCE_MAX_SECONDS
        ? { ready: false, detail: 'the ingest stream is not read: no trade is stored and asOf stands still' }
        : { ready: true };
    return { name: 'ingest', required: true, check };
  }

  add({ subject, data, outcome, reason }: AcknowledgedMessage): void {
    this.#counts.add(kindBySubject.get(subject) ?? 'unknown', outcome, reason ?? '');
    // Stored as it arrived and parsed at each scrape, so that no message is parsed twice.
    if (outcome === 'applied' && subject === TRADE_SUBJECT)
      this.#lastTrade = { data, appliedAtMs: this.#clock.now().getTime() };
  }

  #readLastTrade(): { blockTimeMs: number; appliedAtMs: number } | null {
    if (this.#lastTrade === null) return null;
    const { data, appliedAtMs } = this.#lastTrade;
    // The message was applied, so it is JSON with a valid time.
    const { blockTime } = JSON.parse(new TextDecoder().decode(data)) as { blockTime: string };
    return { blockTimeMs: Date.parse(blockTime), appliedAtMs };
  }
}
