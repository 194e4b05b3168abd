import type { Logger } from '../../../shared/log.ts';
import type { OperationContext } from '../end-operation.ts';
import type { Pauses } from './pauses.ts';

export interface RunnerContext extends OperationContext {
  log: Logger;
  leaseMs: number;
  pauses: Pauses;
  /** True when our own database failed: the failure is not one of the work. */
  isDatabaseFailure(error: unknown): boolean;
  /** `req_` and 32 hex digits: a failed operation and its log line share it. */
  newRequestId(): string;
  /** Called when an operation was given back and is due immediately. */
  onGivenBack(): void;
}

/** Claims in a row without a checkpoint, for example after crashes, before the operation fails. */
export const CLAIMS_MAX = 5;
/** Runs in a row that may fail because of a dependency. */
export const FAILURES_MAX = 8;
