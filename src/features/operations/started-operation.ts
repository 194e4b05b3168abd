import { API_PREFIX } from '../../shared/api-prefix.ts';
import { hints, type SentHint } from '../../shared/bus/topology.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { type OperationLinks, type OperationRow, toOperation } from './record.ts';

export interface StartedOperationDependencies {
  operationLinks: OperationLinks;
  sendHints(...hints: SentHint[]): void;
}

/**
 * The reply to a request that has started an operation: its record and its `Location`. The worker is woken
 * after the commit.
 */
export function startedOperation(
  operation: OperationRow,
  { operationLinks, sendHints }: StartedOperationDependencies,
  now: Date,
) {
  return {
    body: toOperation(operation, operationLinks, now),
    headers: {
      Location: `${API_PREFIX}/operations/${operation.id}`,
      'Retry-After': String(publishedLimits.pollingRetryAfterSeconds),
    },
    afterCommit: () => sendHints(hints.operations),
  };
}
