import type { Database } from '../db/client.ts';
import { intentErrorCodes } from '../db/values/transaction-intents.ts';
import type { RequestBudget } from '../indexer/pool-history/request-budget.ts';
import { Durations } from '../shared/metrics/durations.ts';
import { LabelledCounts } from '../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../shared/metrics/process-metrics.ts';
import type { EndedIntent } from './end/end-intents.ts';
import type { Finality } from './land/landing.ts';
import { readBroadcastDelay, readOldestOpen } from './send/broadcast-delay.ts';

export interface IntentMetrics {
  onIntentsEnded(ended: readonly EndedIntent[]): void;
  onLandingSettled(finality: Finality): void;
  onIntentsHeld(count: number): void;
}

const COMPLETION_BOUNDS_MS = [
  250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 45_000, 90_000, 180_000, 600_000,
];

/** Counts and durations of intents that ended. */
export function createIntentMetrics(metrics: ProcessMetrics): IntentMetrics {
  const ended = new LabelledCounts(metrics, 'launchwire_intents_ended_total', {
    help: 'Transaction intents that ended, by status and result code (empty if there is none)',
    labels: ['status', 'code'],
    known: [['confirmed', ''], ['expired', ''], ...intentErrorCodes.map((code) => ['failed', code])],
  });
  const settled = new LabelledCounts(metrics, 'launchwire_intent_landings_settled_total', {
    help: 'Landed transactions whose block became final, or was dropped by a fork',
    labels: ['finality'],
    known: [['finalized'], ['reverted']],
  });
  const completionLatency = new Durations(
    {
      name: 'launchwire_intent_completion_seconds',
      help: 'Time from the accepted submission to the end of the intent, by final status',
      label: 'status',
      boundsMs: COMPLETION_BOUNDS_MS,
    },
    ['confirmed', 'failed'],
  );
  metrics.addDurations(completionLatency);
  let held = 0;
  metrics.liveGauge(
    'launchwire_intents_held',
    'Overdue intents older than a loss of the database that wait until the nodes prove whether they landed',
    () => held,
  );

  return {
    onIntentsHeld(count) {
      held = count;
    },
    onLandingSettled: (finality) => settled.add(finality),
    onIntentsEnded(intents) {
      for (const { status, errorCode, submittedAt, completedAt } of intents) {
        ended.add(status, errorCode ?? '');
        if (submittedAt !== null && completedAt !== null)
          completionLatency.observe(status, Math.max(0, completedAt.getTime() - submittedAt.getTime()));
      }
    },
  };
}

/** Gauges of the most overdue send and of the oldest open submission, read at scrape time. */
export function observeBroadcastDelay(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const delay = metrics.gauge(
    'launchwire_intent_broadcast_overdue_seconds',
    'Seconds by which the most overdue send of a submitted transaction is late',
  );
  const open = metrics.gauge(
    'launchwire_intent_oldest_open_seconds',
    'Age of the oldest submission with a block height that has not ended',
  );
  metrics.addSource({
    name: 'intent_broadcasts',
    gauges: [delay, open],
    async load() {
      const [seconds, age] = [await readBroadcastDelay(scrapeDatabase), await readOldestOpen(scrapeDatabase)];
      return () => {
        delay.set(seconds);
        open.set(age);
      };
    },
  });
}

/** Requests for what landed, which have a budget against the nodes of their own. */
export function observeLandingBudget(
  metrics: ProcessMetrics,
  budget: Pick<RequestBudget, 'granted' | 'waiting'>,
): void {
  metrics.tallies(
    'launchwire_landing_requests_total',
    'Requests to all nodes together for transactions that landed',
    [],
    () => [{ labels: {}, count: budget.granted }],
  );
  metrics.liveGauge(
    'launchwire_landing_requests_waiting',
    'Requests for transactions that landed which wait for their budget',
    () => budget.waiting,
  );
}
