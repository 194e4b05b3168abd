import { LabelledCounts } from '../../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { type CountOutcome, countOutcomes } from './count-holders.ts';

/** Counts snapshots of holders by outcome. */
export function countHolderSnapshots(metrics: ProcessMetrics): (outcome: CountOutcome) => void {
  const counts = new LabelledCounts(metrics, 'launchwire_holder_snapshots_total', {
    help: 'Lists of all accounts of a token that were read to count its holders, by outcome',
    labels: ['outcome'],
    known: countOutcomes.map((outcome) => [outcome]),
  });
  return (outcome) => counts.add(outcome);
}
