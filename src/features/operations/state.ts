import type { operationStatuses } from '../../db/values/operations.ts';
import type { EventName } from '../../shared/events/catalogue.ts';

export type OperationStatus = (typeof operationStatuses)[number];
export type TerminalStatus = 'succeeded' | 'failed' | 'cancelled';

/**
 * The transitions of an operation (contract/operations#transitions), each with its event. There are no
 * others.
 */
const operationTransitions = {
  queued: { running: null, cancelled: 'operation.cancelled' },
  running: {
    succeeded: 'operation.succeeded',
    failed: 'operation.failed',
    cancelled: 'operation.cancelled',
  },
  succeeded: {},
  failed: {},
  cancelled: {},
} as const satisfies Record<OperationStatus, Partial<Record<OperationStatus, EventName | null>>>;

/** The event of an end; null when the status cannot end that way. */
export function endingEvent(from: OperationStatus, to: TerminalStatus): EventName | null {
  const events: Partial<Record<OperationStatus, EventName | null>> = operationTransitions[from];
  return events[to] ?? null;
}

/** True when the status never changes again (contract/operations#transitions). */
export function isTerminal(status: OperationStatus): status is TerminalStatus {
  return Object.keys(operationTransitions[status]).length === 0;
}
