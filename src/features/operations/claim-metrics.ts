import { LabelledCounts } from '../../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';

/**
 * Counts claims of operations of these kinds. A reclaim follows a lease that ended or a run that was given
 * back.
 */
export function countOperationClaims(
  metrics: ProcessMetrics,
  kinds: readonly string[],
): (kind: string, isReclaim: boolean) => void {
  const claims = new LabelledCounts(metrics, 'launchwire_operation_claims_total', {
    help: 'Operations taken up: first claims, and reclaims after a lease ended or work was given back',
    labels: ['kind', 'claim'],
    known: kinds.flatMap((kind) => [
      [kind, 'first'],
      [kind, 'reclaim'],
    ]),
  });
  return (kind, isReclaim) => claims.add(kind, isReclaim ? 'reclaim' : 'first');
}
