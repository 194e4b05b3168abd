import { ingestKinds, ingestSubject } from '../../shared/bus/topology.ts';
import type { Clock } from '../../shared/clock.ts';
import { LabelledCounts } from '../../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { AcknowledgedMessage } from './acknowledge.ts';

const kindBySubject = new Map<string, string>(ingestKinds.map((kind) => [ingestSubject(kind), kind]));
const TRADE_SUBJECT = ingestSubject('trade');

/** Counts settled ingest messages and how old the newest applied trade was. */
export class IngestCounts {
  readonly #counts: LabelledCounts;
  readonly #clock: Clock;
  #lastTrade: { data: Uint8Array; appliedAtMs: number } | null = null;

  constructor(metrics: ProcessMetrics, clock: Clock) {
    this.#clock = clock;
    this.#counts = new LabelledCounts(metrics, 'launchwire_ingest_messages_total', {
      help: 'Ingest messages by kind, outcome (applied, rejected, waiting: tried again) and reason',
      labels: ['kind', 'outcome', 'reason'],
      known: ingestKinds.map((kind) => [kind, 'applied', '']),
    });
    metrics.liveGauge(
      'launchwire_ingest_lag_seconds',
      'Age of the last applied trade (by its block time) when it was applied; missing before the first',
      () => {
        const last = this.#readLastTrade();
        return last === null ? null : (last.appliedAtMs - last.blockTimeMs) / 1000;
      },
    );
    metrics.liveGauge(
      'launchwire_ingest_last_trade_timestamp_seconds',
      'Block time of the last applied trade; missing before the first',
      () => {
        const last = this.#readLastTrade();
        return last === null ? null : last.blockTimeMs / 1000;
      },
    );
  }

  add({ subject, data, outcome, reason }: AcknowledgedMessage): void {
    this.#counts.add(kindBySubject.get(subject) ?? 'unknown', outcome, reason ?? '');
    // Kept as it came and read per scrape: nothing is parsed twice per message.
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
