import type { Database } from '../db/client.ts';
import { eventNames, eventType } from '../shared/events/catalogue.ts';
import { LabelledCounts } from '../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../shared/metrics/process-metrics.ts';

/** Counting stops here: it would read the whole backlog. */
const BACKLOG_COUNT_MAX = 10_000;

/** Counts published events. The result is called with the types of events that the broker has acknowledged. */
export function countPublishedEvents(metrics: ProcessMetrics): (types: readonly string[]) => void {
  const published = new LabelledCounts(metrics, 'launchwire_events_published_total', {
    help: 'Events that the broker has acknowledged, by type: one for every transition',
    labels: ['type'],
    known: eventNames.map((name) => [eventType(name)]),
  });
  return (types) => {
    for (const type of types) published.add(type);
  };
}

/** Gauges of unpublished events, read at scrape time. */
export function observeOutboxBacklog(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const size = metrics.gauge('launchwire_outbox_events', 'Unpublished events, counted up to 10,000');
  const age = metrics.gauge('launchwire_outbox_oldest_seconds', 'Age of the oldest unpublished event');
  metrics.addSource({
    name: 'outbox',
    gauges: [size, age],
    async load() {
      const { count, oldestAgeSeconds } = await readOutboxBacklog(scrapeDatabase);
      return () => {
        size.set(count);
        age.set(oldestAgeSeconds);
      };
    },
  });
}

/** Number of events that the broker has not acknowledged, and the age of the oldest in seconds (0 without any). */
export async function readOutboxBacklog(db: Database): Promise<{ count: number; oldestAgeSeconds: number }> {
  const [row] = await db<{ count: number; oldestAgeSeconds: number }[]>`
    select
      (select count(*)::int from (
        select from events_to_publish limit ${BACKLOG_COUNT_MAX}) backlog) as count,
      coalesce((
        select greatest(0, extract(epoch from now() - created_at)) from events
        where id = (select event_id from events_to_publish order by event_id limit 1)), 0)::float8 as oldest_age_seconds`;
  if (row === undefined) throw new Error('the backlog returned no row');
  return row;
}
