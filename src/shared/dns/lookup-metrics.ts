import type { ProcessMetrics } from '../metrics/process-metrics.ts';
import type { DnsResolver } from './resolver.ts';

/** Exposes the outcomes of look-ups of webhook hosts. */
export function observeLookups(metrics: ProcessMetrics, resolver: DnsResolver): void {
  metrics.tallies(
    'launchwire_dns_lookups_total',
    'Look-ups of webhook hosts by outcome: answered, no_address, timed_out, no_turn (too many in flight)',
    ['outcome'],
    () => Object.entries(resolver.outcomes).map(([outcome, count]) => ({ labels: { outcome }, count })),
  );
}
