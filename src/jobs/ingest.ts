import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type AcknowledgedMessage, acknowledge, RETRY_DELAYS_MS } from '../indexer/ingest/acknowledge.ts';
import { acknowledgedThrough } from '../indexer/ingest/acknowledged-through.ts';
import { applyBatch } from '../indexer/ingest/apply-batch.ts';
import type { IngestDependencies } from '../indexer/ingest/dependencies.ts';
import { HeldProofs } from '../indexer/ingest/held-proofs.ts';
import { type IngestSubscription, openIngestSubscription } from '../indexer/ingest/subscription.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';

// Measured with 50 tokens: 500 a batch 8,600 trades/s, 1,000 12,000, 2,000 14,500, 5,000 no more.
const BATCH_MAX = 2_000;
const IDLE_MS = 1_000;
/** How soon a proof is looked at again that waits for what was published before it. */
const HELD_MS = 50;

export interface IngestJobDependencies {
  connection: NatsConnection;
  dependencies: IngestDependencies;
  log: Logger;
  signal: AbortSignal;
  /** Called once for each acknowledged message. */
  onAcknowledged?(message: AcknowledgedMessage): void;
  /** Before each retry of a message that waits for another. */
  retryDelaysMs?: readonly number[];
}

/**
 * Brings the ingest stream into the tables, batch by batch. A batch stays here until it is acknowledged: while
 * the database is unavailable it is repeated (which changes nothing twice), and the broker gets `working` for it.
 */
export async function runIngest({
  connection,
  dependencies,
  log,
  signal,
  onAcknowledged,
  retryDelaysMs = RETRY_DELAYS_MS,
}: IngestJobDependencies): Promise<void> {
  let subscription: IngestSubscription | null = null;
  const heldProofs = new HeldProofs();
  let batch: JsMsg[] = [];
  let isRepeated = false;
  await runLoop({
    name: 'ingest',
    log,
    signal,
    idleMs: 0,
    async step(stop) {
      if (batch.length === 0) {
        subscription ??= await openIngestSubscription(connection);
        const opened = subscription;
        batch = await opened
          .take(BATCH_MAX, heldProofs.isEmpty ? IDLE_MS : HELD_MS, stop)
          .catch(async (error: unknown) => {
            subscription = null;
            heldProofs.clear();
            await opened.close();
            throw error;
          });
      }
      if (isRepeated) for (const message of batch) message.working();
      isRepeated = true;
      const verdicts = await applyBatch(dependencies, batch, heldProofs);
      await Promise.all(
        batch.map(async (message, at) => {
          const verdict = verdicts[at];
          if (verdict === undefined) return;
          const outcome = await acknowledge(connection, log, message, verdict, retryDelaysMs);
          const reason = verdict.outcome === 'applied' ? null : verdict.reason;
          onAcknowledged?.({ subject: message.subject, data: message.data, outcome, reason });
        }),
      );
      batch = [];
      isRepeated = false;
      await heldProofs.storeReady(dependencies, () => acknowledgedThrough(connection));
      return true;
    },
  });
  for (const message of batch) message.nak();
  await (subscription as IngestSubscription | null)?.close();
}
