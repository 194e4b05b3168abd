import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { SerialisedCache } from './serialised-cache.ts';

/** Exposes the reads and loads of each cache, by name. */
export function observeCaches(metrics: ProcessMetrics, caches: ReadonlyMap<string, SerialisedCache>): void {
  metrics.tallies(
    'launchwire_cache_reads_total',
    'Reads of a cache: hit; stale, bytes that lack a known change and are reloaded meanwhile; or miss, which waited for a load',
    ['cache', 'result'],
    function* () {
      for (const [cache, { reads, hits, staleHits }] of caches) {
        yield { labels: { cache, result: 'hit' }, count: hits };
        yield { labels: { cache, result: 'stale' }, count: staleHits };
        yield { labels: { cache, result: 'miss' }, count: reads - hits - staleHits };
      }
    },
  );
  metrics.tallies(
    'launchwire_cache_loads_total',
    'Loads of a cache, also those that nobody waited for: read, or failed',
    ['cache', 'result'],
    function* () {
      for (const [cache, { loads, failedLoads }] of caches) {
        yield { labels: { cache, result: 'read' }, count: loads - failedLoads };
        yield { labels: { cache, result: 'failed' }, count: failedLoads };
      }
    },
  );
}

/** Exposes the refusals of each gate, and of the room for bodies. */
export function observeGates(
  metrics: ProcessMetrics,
  gates: Readonly<Record<string, { refused: number }>>,
): void {
  metrics.tallies(
    'launchwire_loads_refused_total',
    'Work that was refused because too much ran and waited; `bodies`: requests whose body had no room',
    ['gate'],
    function* () {
      for (const [gate, { refused }] of Object.entries(gates)) yield { labels: { gate }, count: refused };
    },
  );
}
