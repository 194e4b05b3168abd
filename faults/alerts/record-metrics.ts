import { wait } from '../../src/shared/loop.ts';
import { isAskedFor, type Selector } from './slo-alerts.ts';

const TICK_MS = 1_000;
const SCRAPE_TIMEOUT_MS = 900;

/** Scraped values: one for each series and tick, undefined if its process did not answer. */
export class Recording {
  readonly series = new Map<string, (number | undefined)[]>();
  /** Ticks so far. */
  ticks = 0;
}

/**
 * Scrapes processes once a second until the signal aborts, and keeps what the selectors ask for.
 * @param origins where each process serves its metrics, by its name
 */
export async function recordMetrics(
  recording: Recording,
  origins: ReadonlyMap<string, string>,
  selectors: readonly Selector[],
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  while (!signal.aborted) {
    const tick = recording.ticks;
    await Promise.all(
      [...origins].map(async ([instance, origin]) => {
        for (const [name, value] of await scrape(origin)) {
          if (!isAskedFor(selectors, name)) continue;
          const series = withInstance(name, instance);
          const values = recording.series.get(series) ?? [];
          values[tick] = value;
          recording.series.set(series, values);
        }
      }),
    );
    recording.ticks += 1;
    await wait(Math.max(0, startedAt + recording.ticks * TICK_MS - performance.now()), signal);
  }
}

/** Samples of a process; none while it does not answer. */
async function scrape(origin: string): Promise<[string, number][]> {
  try {
    const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS) });
    return [...(await response.text()).matchAll(/^(launchwire_\w+(?:\{.*\})?) (\S+)$/gm)].map(
      ([, name = '', value]) => [name, Number(value)],
    );
  } catch {
    return [];
  }
}

function withInstance(sample: string, instance: string): string {
  const [name = '', labels] = sample.split(/\{(.*)\}$/);
  return `${name}{instance="${instance}"${labels ? `,${labels}` : ''}}`;
}
