import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { SignatureWakeUps } from './signature-wake-ups.ts';
import { leaveReasons } from './stream-watch.ts';

/** Metrics of the wake-ups of confirmation. The label `node` is host and port, as configured. */
export function observeSignatureWakeUps(metrics: ProcessMetrics, { states }: SignatureWakeUps): void {
  metrics.tallies(
    'launchwire_confirmation_wake_ups_total',
    'Transactions that a node reported as confirmed (proven: so it was; unproven: no node had it), and those it missed',
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
    'Subscriptions to signatures that a node refused',
    ['node'],
    function* () {
      for (const { node, refused } of states) yield { labels: { node }, count: refused };
    },
  );
  metrics.tallies(
    'launchwire_confirmation_streams_left_total',
    'Streams of the wake-ups of confirmation that ended or were left, by reason',
    ['node', 'reason'],
    function* () {
      for (const { node, left } of states)
        for (const reason of leaveReasons) yield { labels: { node, reason }, count: left[reason] };
    },
  );
  const up = metrics.gauge(
    'launchwire_confirmation_stream_up',
    'Whether the worker that watches submitted transactions hears this node',
    ['node'],
  );
  const subscriptions = metrics.gauge(
    'launchwire_confirmation_subscriptions',
    'Transactions whose confirmation this node is to report',
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
