import { type SendResult, sendResults } from '../../chain/node-trust/judge-send.ts';
import type { Database } from '../../db/client.ts';
import { intentErrorCodes } from '../../db/schema/transaction-intents.ts';
import { Durations } from '../../shared/metrics/durations.ts';
import { LabelledCounts } from '../../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { readBroadcastDelay } from './broadcast-delay.ts';
import type { EndedIntent } from './finish-intents.ts';

/** What broadcasting and confirming report. */
export interface IntentMetrics {
  /** A send to all nodes begins; null for a resend. */
  onSend(sinceSubmissionMs: number | null): void;
  /** The result of a send at one node. */
  onSendResult(result: SendResult): void;
  onIntentsEnded(ended: readonly EndedIntent[]): void;
}

const BROADCAST_BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000];
const COMPLETION_BOUNDS_MS = [
  250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 45_000, 90_000, 180_000, 600_000,
];

/** Counts and durations of submitted transactions. */
export function createIntentMetrics(metrics: ProcessMetrics): IntentMetrics {
  const sends = new LabelledCounts(metrics, 'launchwire_intent_sends_total', {
    help: 'Sends of submitted transactions to all nodes: first ones, and resends every 2 s until a status is seen',
    labels: ['send'],
    known: [['first'], ['resend']],
  });
  const results = new LabelledCounts(metrics, 'launchwire_intent_send_answers_total', {
    help: 'Responses of single nodes to sends; unknown: none, one without a signature, or one of a quarantined node',
    labels: ['answer'],
    known: sendResults.map((result) => [result]),
  });
  const ended = new LabelledCounts(metrics, 'launchwire_intents_ended_total', {
    help: 'Transaction intents that ended, by status and result code (empty without one)',
    labels: ['status', 'code'],
    known: [['confirmed', ''], ['expired', ''], ...intentErrorCodes.map((code) => ['failed', code])],
  });
  const broadcastLatency = new Durations(
    {
      name: 'launchwire_intent_broadcast_seconds',
      help: 'Time from the accepted submission (202) to the first send',
      label: 'send',
      boundsMs: BROADCAST_BOUNDS_MS,
    },
    ['first'],
  );
  const completionLatency = new Durations(
    {
      name: 'launchwire_intent_completion_seconds',
      help: 'Time from the accepted submission to the end of the intent, by final status',
      label: 'status',
      boundsMs: COMPLETION_BOUNDS_MS,
    },
    ['confirmed', 'failed'],
  );
  metrics.addDurations(broadcastLatency);
  metrics.addDurations(completionLatency);

  return {
    onSend(sinceSubmissionMs) {
      sends.add(sinceSubmissionMs === null ? 'resend' : 'first');
      if (sinceSubmissionMs !== null) broadcastLatency.observe('first', Math.max(0, sinceSubmissionMs));
    },
    onSendResult: (result) => results.add(result),
    onIntentsEnded(intents) {
      for (const { status, errorCode, submittedAt, completedAt } of intents) {
        ended.add(status, errorCode ?? '');
        if (submittedAt !== null && completedAt !== null)
          completionLatency.observe(status, Math.max(0, completedAt.getTime() - submittedAt.getTime()));
      }
    },
  };
}

/** Gauge of the most overdue send, read at scrape time. */
export function observeBroadcastDelay(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const delay = metrics.gauge(
    'launchwire_intent_broadcast_overdue_seconds',
    'How long the most overdue send of a submitted transaction has been due',
  );
  metrics.addSource({
    name: 'intent_broadcasts',
    gauges: [delay],
    async load() {
      const seconds = await readBroadcastDelay(scrapeDatabase);
      return () => delay.set(seconds);
    },
  });
}
