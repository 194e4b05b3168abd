import type { Database } from '../../../db/client.ts';
import { Durations } from '../../../shared/metrics/durations.ts';
import { LabelledCounts } from '../../../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../../../shared/metrics/process-metrics.ts';
import type { OrderRow } from '../record.ts';
import { orderReasons } from '../state.ts';
import type { OrderCheck } from './check-order.ts';
import { readUnsentAge } from './read-unsent-age.ts';

/** Metrics of orders in the worker. */
export interface OrderMetrics {
  /** The chain was asked what it would do with an order. */
  onAttempt(outcome: OrderCheck['outcome']): void;
  /** An order was sent so long after its trigger. @param isFirst at its first attempt */
  onSent(sinceTriggerMs: number, isFirst: boolean): void;
  onOrdersEnded(ended: readonly Pick<OrderRow, 'status' | 'reason'>[]): void;
}

const outcomes = ['sendable', 'refused', 'nonce_spent', 'migrated', 'unknown', 'unreadable'] as const;
const BOUNDS_MS = [2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000];

/** Counts and durations of triggered orders. */
export function createOrderMetrics(metrics: ProcessMetrics): OrderMetrics {
  const attempts = new LabelledCounts(metrics, 'launchwire_order_attempts_total', {
    help: 'Looks at the chain before the send of a triggered order, by what it would do',
    labels: ['outcome'],
    known: outcomes.map((outcome) => [outcome]),
  });
  const ended = new LabelledCounts(metrics, 'launchwire_orders_ended_total', {
    help: 'Orders that workers have ended, by status and reason (empty if there is none)',
    labels: ['status', 'reason'],
    known: [
      ['landed', ''],
      ...Object.entries(orderReasons).flatMap(([status, reasons]) =>
        reasons.map((reason) => [status, reason]),
      ),
    ],
  });
  const delay = new Durations(
    {
      name: 'launchwire_order_send_seconds',
      help: 'Time from the trigger of an order to its send: at the first look at the chain, or at a later one',
      label: 'attempt',
      boundsMs: BOUNDS_MS,
    },
    ['first', 'later'],
  );
  metrics.addDurations(delay);
  return {
    onAttempt: (outcome) => attempts.add(outcome),
    onSent: (sinceTriggerMs, isFirst) =>
      delay.observe(isFirst ? 'first' : 'later', Math.max(0, sinceTriggerMs)),
    onOrdersEnded(orders) {
      for (const { status, reason } of orders) ended.add(status, reason ?? '');
    },
  };
}

/** The gauge of the oldest triggered order that no worker has looked at, read at scrape time. */
export function observeUnsentOrders(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const age = metrics.gauge(
    'launchwire_order_oldest_unsent_seconds',
    'Age of the oldest triggered order that was neither sent nor refused by a simulation; 0 if there is none',
  );
  metrics.addSource({
    name: 'orders',
    gauges: [age],
    async load() {
      const seconds = await readUnsentAge(scrapeDatabase);
      return () => age.set(seconds);
    },
  });
}
