import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { settle, WAITING_PAUSES_MS } from '../indexer/ingest/acknowledge.ts';
import { applyBatch } from '../indexer/ingest/apply-batch.ts';
import type { IngestContext } from '../indexer/ingest/dependencies.ts';
import { type IngestSource, openIngestSource } from '../indexer/ingest/subscription.ts';
import type { Verdict } from '../indexer/ingest/verdict.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';

// Measured with 50 tokens: 500 a batch 8,600 trades/s, 1,000 12,000, 2,000 14,500, 5,000 no more.
const BATCH_MAX = 2_000;
const IDLE_MS = 1_000;

export interface IngestJob {
  connection: NatsConnection;
  context: IngestContext;
  log: Logger;
  signal: AbortSignal;
  /** Told once of each message that was settled. */
  onSettled?(settled: SettledMessage): void;
  /** Before each further try of what waits for something else. */
  waitingPausesMs?: readonly number[];
}

export interface SettledMessage {
  subject: string;
  data: Uint8Array;
  outcome: Verdict['outcome'];
  /** Why it was rejected or waits; null when it was applied. */
  reason: string | null;
}

/**
 * Brings the ingest stream into the tables, batch by batch. A batch stays here until it is settled: while the
 * database is away it is repeated (which changes nothing twice), and the broker is told that it is worked on.
 */
export async function runIngest({
  connection,
  context,
  log,
  signal,
  onSettled,
  waitingPausesMs = WAITING_PAUSES_MS,
}: IngestJob): Promise<void> {
  let source: IngestSource | null = null;
  let batch: JsMsg[] = [];
  let isRepeated = false;
  await runLoop({
    name: 'ingest',
    log,
    signal,
    idleMs: 0,
    async step(stop) {
      if (batch.length === 0) {
        source ??= await openIngestSource(connection);
        const opened = source;
        batch = await opened.take(BATCH_MAX, IDLE_MS, stop).catch(async (error: unknown) => {
          source = null;
          await opened.close();
          throw error;
        });
      }
      if (isRepeated) for (const message of batch) message.working();
      isRepeated = true;
      const verdicts = await applyBatch(context, batch);
      await Promise.all(
        batch.map(async (message, at) => {
          const verdict = verdicts[at];
          if (verdict === undefined) return;
          const outcome = await settle(connection, log, message, verdict, waitingPausesMs);
          const reason = verdict.outcome === 'applied' ? null : verdict.reason;
          onSettled?.({ subject: message.subject, data: message.data, outcome, reason });
        }),
      );
      batch = [];
      isRepeated = false;
      return true;
    },
  });
  for (const message of batch) message.nak();
  await (source as IngestSource | null)?.close();
}
