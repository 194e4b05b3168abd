import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { build } from '../build.ts';
import { coalesced } from '../coalesced.ts';
import { droppedLogLines } from '../log.ts';
import { loopFailures } from '../loop-failures.ts';
import type { Durations } from './durations.ts';
import { type ScrapedGauge, ScrapedValues, type ScrapeSource } from './scrape-source.ts';

/** The metrics of a process. Every label has a bounded set of values. */
export interface ProcessMetrics {
  contentType: string;
  /**
   * Returns the exposition. A failing source never rejects it: failures are counted in
   * `launchwire_scrape_errors_total`.
   */
  read(): Promise<string>;
  gauge(name: string, help: string, labelNames?: readonly string[]): ScrapedGauge;
  /** A gauge read from memory at every scrape; null removes it from the exposition. */
  liveGauge(name: string, help: string, read: () => number | null): void;
  /**
   * Counters that are kept elsewhere, so that counting costs an addition; `list` is called at each scrape.
   */
  tallies(name: string, help: string, labelNames: readonly string[], list: () => Iterable<Tally>): void;
  addDurations(durations: Durations): void;
  addSource(source: ScrapeSource): void;
}

export interface Tally {
  labels: Record<string, string | number>;
  count: number;
}

/**
 * Interval of measuring the delay of the event loop. Every 10 ms, the default, cost an idle process 0.3 % of
 * a core; this costs a quarter.
 */
const LAG_EVERY_MS = 100;
/**
 * Bun walks over every object of the heap for these: the process stood still for 60 ms at each scrape with a million
 * objects. `process_resident_memory_bytes` and `nodejs_heap_size_used_bytes` cost microseconds.
 */
const HEAP_SPACES = ['total', 'used', 'available'].map((kind) => `nodejs_heap_space_size_${kind}_bytes`);
/** The exposition is built at most this often, whatever the number of scrapes. */
const MEMORY_MS = 1_000;

/**
 * Build, CPU, memory and event loop of the process, failures of its loops, lost log lines, and every added
 * metric.
 *
 * @param role the program: api, worker, relay, internal
 */
export function createProcessMetrics(
  role: string,
  nowMs: () => number = () => performance.now(),
): ProcessMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS });
  for (const name of HEAP_SPACES) registry.removeSingleMetric(name);
  const histograms: Durations[] = [];
  const sources: ScrapedValues[] = [];
  const scrapeErrors = new Counter({
    name: 'launchwire_scrape_errors_total',
    help: 'Values that a scrape could not load, by source; they are missing from that scrape',
    labelNames: ['source'],
    registers: [registry],
  });
  const metrics: ProcessMetrics = {
    contentType: registry.contentType,
    read: coalesced(async () => {
      await Promise.all(sources.map((source) => source.refresh()));
      return [await registry.metrics(), ...histograms.map((one) => one.expose())].join('\n');
    }, MEMORY_MS),
    gauge(name, help, labelNames = []) {
      const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
      const clear = () => {
        gauge.reset();
        // Without labels a reset leaves 0, which would count as a value.
        if (labelNames.length === 0) gauge.remove();
      };
      clear();
      return { set: (value, labels = {}) => gauge.set(labels, value), clear };
    },
    liveGauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          const value = read();
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    },
    tallies(name, help, labelNames, list) {
      new Counter({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          this.reset();
          for (const { labels, count } of list()) this.inc(labels, count);
        },
      });
    },
    addDurations: (durations) => void histograms.push(durations),
    addSource(source) {
      scrapeErrors.inc({ source: source.name }, 0);
      sources.push(new ScrapedValues(source, (name) => scrapeErrors.inc({ source: name }), nowMs));
    },
  };
  metrics
    .gauge('launchwire_build_info', 'Version, commit and role of this process; always 1', [
      'role',
      'version',
      'commit',
      'bun',
    ])
    .set(1, { role, ...build, bun: Bun.version });
  metrics.tallies(
    'launchwire_loop_failures_total',
    'Steps of background loops that failed, by loop',
    ['loop'],
    function* () {
      for (const [loop, count] of loopFailures) yield { labels: { loop }, count };
    },
  );
  metrics.tallies(
    'launchwire_log_lines_dropped_total',
    'Log lines that were lost because their reader had stopped',
    [],
    () => [{ labels: {}, count: droppedLogLines() }],
  );
  return metrics;
}
