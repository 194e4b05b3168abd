import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { SerialisedCache } from './serialised-cache.ts';

/** Exposes the hits and misses of each cache, by name. */
export function observeCaches(metrics: ProcessMetrics, caches: ReadonlyMap<string, SerialisedCache>): void {
  metrics.tallies(
    'launchwire_cache_reads_total',
    'Reads of a cache: hit, or miss when the bytes had to be loaded or a load was joined',
    ['cache', 'result'],
    function* () {
      for (const [cache, { reads, hits }] of caches) {
        yield { labels: { cache, result: 'hit' }, count: hits };
        yield { labels: { cache, result: 'miss' }, count: reads - hits };
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
