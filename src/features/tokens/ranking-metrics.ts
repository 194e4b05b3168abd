import { Durations } from '../../shared/metrics/durations.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { RankingStep } from './follow-rankings.ts';

const LAG_BOUNDS_MS = [100, 250, 500, 1_000, 2_000, 5_000, 15_000, 60_000, 300_000];

/** Counts rows of `token_rankings` that changed, and measures how late changes of tokens reach them. */
export function observeRankings(metrics: ProcessMetrics): (step: RankingStep) => void {
  let changed = 0;
  metrics.tallies(
    'launchwire_token_rankings_changed_total',
    'Tokens whose values that lists are sorted by have changed',
    [],
    () => [{ labels: {}, count: changed }],
  );
  const lag = new Durations(
    {
      name: 'launchwire_token_ranking_lag_seconds',
      help: 'Time from a change of a token to the step that followed it into the sorted lists, by the oldest change',
      label: 'step',
      boundsMs: LAG_BOUNDS_MS,
    },
    ['followed'],
  );
  metrics.addDurations(lag);
  return (step) => {
    changed += step.changed;
    if (step.lagMs !== null) lag.observe('followed', Math.max(0, step.lagMs));
  };
}
