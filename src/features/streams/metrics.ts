import { streamLogKinds } from '../../db/values/stream-log.ts';
import { Durations } from '../../shared/metrics/durations.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { Streams } from './streams.ts';

/** From the delay of a poll that finds the change at once to the one of a stopped database. */
const BOUNDS_MS = [2.5, 5, 10, 20, 50, 100, 250, 500, 1_000, 5_000, 30_000];

/** The metrics of streams. Label values are names from this code, so their number is bounded. */
export function observeStreams(metrics: ProcessMetrics, streams: Streams): void {
  const { tally, follower } = streams;
  const delays = new Durations(
    {
      name: 'launchwire_stream_delay_seconds',
      help: 'Time from a change in its transaction to the connections of its readers, by kind of change',
      label: 'kind',
      boundsMs: BOUNDS_MS,
    },
    streamLogKinds,
  );
  metrics.addDurations(delays);
  tally.onLatency = (kind, ms) => delays.observe(kind, ms);
  metrics.liveGauge('launchwire_streams_open', 'Open streams of the process', () => streams.count);
  metrics.tallies(
    'launchwire_streams_ended_total',
    'Streams that ended, by reason; client: the client went away',
    ['reason'],
    () => [...tally.ends].map(([reason, ended]) => ({ labels: { reason }, count: ended })),
  );
  metrics.tallies(
    'launchwire_stream_messages_total',
    'Messages composed, by kind: each once, whatever the number of its readers',
    ['event'],
    () => [...tally.composed].map(([event, composed]) => ({ labels: { event }, count: composed })),
  );
  metrics.tallies(
    'launchwire_stream_conflated_total',
    'Messages that a newer state has replaced because their reader did not read',
    [],
    () => [{ labels: {}, count: tally.conflations }],
  );
  metrics.liveGauge(
    'launchwire_stream_window_entries',
    'Changes in memory, for streams that come back',
    () => follower.place?.window.size ?? 0,
  );
}
