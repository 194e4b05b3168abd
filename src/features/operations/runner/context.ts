import type { Logger } from '../../../shared/log.ts';
import type { OperationContext } from '../end-operation.ts';

/** Pauses of an operation after failed runs. */
export interface Pauses {
  firstMs: number;
  lastMs: number;
}

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
/** 2 s, 4 s, … up to a minute: eight failures take about three and a half minutes. */
export const defaultPauses: Pauses = { firstMs: 2_000, lastMs: 60_000 };

/** @param attempts failed runs so far, from 1 */
export function pauseAfter({ firstMs, lastMs }: Pauses, attempts: number): number {
  return Math.min(lastMs, firstMs * 2 ** (attempts - 1));
}
