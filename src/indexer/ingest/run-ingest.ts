import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';
import { type AcknowledgedMessage, acknowledge, RETRY_DELAYS_MS } from './acknowledge.ts';
import { applyBatch } from './apply-batch.ts';
import type { IngestDependencies } from './dependencies.ts';
import type { ConsumerBefore } from './open-consumer.ts';
import {
  DatabaseWentBack,
  type IngestSubscription,
  openIngestSubscription,
  SubscriptionSilent,
} from './subscription.ts';
import type { Verdict } from './verdict.ts';
import { WaitingProofs } from './waiting-proofs.ts';

// Measured with 50 tokens: 500 a batch 8,600 trades/s, 1,000 12,000, 2,000 14,500, 5,000 no more.
const BATCH_MAX = 2_000;
const IDLE_MS = 1_000;
/** A failed step has waited for messages or for an answer already: nothing is read during the pause. */
const LONGEST_PAUSE_MS = 250;
/** Retry interval of a proof that waits for messages published before it. */
const HELD_MS = 50;

export interface IngestLoopDependencies {
  connection: NatsConnection;
  dependencies: IngestDependencies;
  log: Logger;
  signal: AbortSignal;
  /** Called once for each acknowledged message. */
  onAcknowledged?(message: AcknowledgedMessage): void;
  /** Called at least every second, when all ready messages are stored and the position recorded. */
  onHeard?(): void;
  /** Delays before the retries of a message that waits for another. */
  retryDelaysMs?: readonly number[];
}

/**
 * Applies the ingest stream to the tables, batch by batch. A batch stays here until it is acknowledged: while
 * the database is unavailable it is repeated (no message is applied twice), and the broker gets `working` for
 * it.
 */
export async function runIngest({
  connection,
  dependencies,
  log,
  signal,
  onAcknowledged,
  onHeard,
  retryDelaysMs = RETRY_DELAYS_MS,
}: IngestLoopDependencies): Promise<void> {
  const { db } = dependencies;
  let subscription: IngestSubscription | null = null;
  let before: ConsumerBefore | null = null;
  const waitingProofs = new WaitingProofs();
  let batch: JsMsg[] = [];
  let isRepeated = false;
  async function leave(opened: IngestSubscription, wentBack: boolean): Promise<void> {
    before = { epoch: opened.epoch, wentBack };
    subscription = null;
    waitingProofs.clear();
    await opened.close();
  }
  async function answer(message: JsMsg, verdict: Verdict | undefined): Promise<void> {
    if (verdict === undefined) return;
    const outcome = await acknowledge(connection, log, message, verdict, retryDelaysMs);
    const reason = verdict.outcome === 'applied' ? null : verdict.reason;
    onAcknowledged?.({ subject: message.subject, data: message.data, outcome, reason });
  }
  await runLoop({
    name: 'ingest',
    log,
    signal,
    idleMs: 0,
    longestPauseMs: LONGEST_PAUSE_MS,
    async step(stop) {
      subscription ??= await openIngestSubscription({ connection, db, log }, before);
      const opened = subscription;
      if (batch.length === 0) {
        batch = await opened
          .take(BATCH_MAX, waitingProofs.isEmpty ? IDLE_MS : HELD_MS, stop)
          .catch(async (error: unknown) => {
            await leave(opened, false);
            throw error;
          });
      }
      if (isRepeated) for (const message of batch) message.working();
      isRepeated = true;
      const verdicts = await applyBatch(dependencies, batch, waitingProofs);
      await Promise.all(batch.map((message, at) => answer(message, verdicts[at])));
      batch = [];
      isRepeated = false;
      await waitingProofs.storeReady(opened).catch(async (error: unknown) => {
        const wentBack = error instanceof DatabaseWentBack;
        if (wentBack || error instanceof SubscriptionSilent) await leave(opened, wentBack);
        throw error;
      });
      onHeard?.();
      return true;
    },
  });
  for (const message of batch) message.nak();
  await (subscription as IngestSubscription | null)?.close();
}
