import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { SignatureWakeUps } from './signature-wake-ups.ts';
import { leaveReasons } from './stream-watch.ts';

/** Metrics of the streams that report confirmed transactions. The label `node` is the configured host and port. */
export function observeSignatureWakeUps(metrics: ProcessMetrics, { states }: SignatureWakeUps): void {
  metrics.tallies(
    'launchwire_confirmation_wake_ups_total',
    'Confirmations by node: it reported one that happened (proven), one that no node knew (unproven), or reported none (missed)',
    ['node', 'result'],
    function* () {
      for (const { node, proven, unproven, missed } of states) {
        yield { labels: { node, result: 'proven' }, count: proven };
        yield { labels: { node, result: 'unproven' }, count: unproven };
        yield { labels: { node, result: 'missed' }, count: missed };
      }
    },
  );
  metrics.tallies(
    'launchwire_confirmation_subscriptions_refused_total',
    'Signature subscriptions that the node refused',
    ['node'],
    function* () {
      for (const { node, refused } of states) yield { labels: { node }, count: refused };
    },
  );
  metrics.tallies(
    'launchwire_confirmation_streams_left_total',
    'Confirmation streams that ended or that the worker left, by reason',
    ['node', 'reason'],
    function* () {
      for (const { node, left } of states)
        for (const reason of leaveReasons) yield { labels: { node, reason }, count: left[reason] };
    },
  );
  const up = metrics.gauge(
    'launchwire_confirmation_stream_up',
    'Whether the confirmation stream of this node is connected and reports slots: 1 or 0',
    ['node'],
  );
  const subscriptions = metrics.gauge(
    'launchwire_confirmation_subscriptions',
    'Transactions whose confirmation the worker has subscribed to at this node',
    ['node'],
  );
  metrics.addSource({
    name: 'confirmation_wake_ups',
    gauges: [up, subscriptions],
    load: async () => () => {
      for (const { node, isUp, subscriptions: count } of states) {
        up.set(isUp ? 1 : 0, { node });
        subscriptions.set(count, { node });
      }
    },
  });
}
