import type { Logger } from '../../../shared/log.ts';
import type { OperationContext } from '../end-operation.ts';
import type { Pauses } from './pauses.ts';

/** What running operations needs. */
export interface RunnerContext extends OperationContext {
  log: Logger;
  leaseMs: number;
  pauses: Pauses;
  /** True when our own database could not serve: that says nothing about the work. */
  isDatabaseFailure(error: unknown): boolean;
  /** `req_` and 32 hex digits: what a failed operation and the log line about it have in common. */
  newRequestId(): string;
  /** Called when an operation was given back and is due immediately. */
  onGivenBack(): void;
}

/** Claims in a row without a result, a crash for example, before the work is given up. */
export const CLAIMS_MAX = 5;
/** Runs in a row that a dependency may end. */
export const FAILURES_MAX = 8;
