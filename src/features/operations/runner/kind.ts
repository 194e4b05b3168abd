import type { Transaction } from '../../../db/client.ts';
import type { Logger } from '../../../shared/log.ts';
import type { ResultFile } from '../results/rows.ts';

/** How much is done; `total` may grow while it is still being found out. */
export interface Progress {
  completed: bigint;
  total: bigint;
  unit: string;
}

/** What one step leaves behind, stored in the transaction of the step. */
export interface Step<Checkpoint> {
  progress?: Progress;
  /** Where a later run goes on; a new one also resets the counts of crashes and failures. */
  checkpoint?: Checkpoint;
}

/** One run of an operation under a lease. */
export interface OperationRun<Input, Checkpoint> {
  readonly operationId: string;
  readonly accountId: string;
  readonly input: Input;
  /** What the last step of an earlier run left; null at the beginning. */
  readonly checkpoint: Checkpoint | null;
  /** Aborts when the lease is lost, the operation is to be cancelled, or the worker stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /**
   * Does one step: `work`, the progress and the checkpoint it returns, all in one transaction that only the holder
   * of the lease can commit. Throws when the run is over; the caller lets that pass.
   */
  step(work: (transaction: Transaction) => Promise<Step<Checkpoint>>): Promise<void>;
}

/**
 * A kind of work that the worker does. A run may be killed between any two steps and begins again elsewhere from the
 * last checkpoint, so what a step writes outside its transaction may happen twice.
 */
export interface OperationKind<Input, Checkpoint> {
  readonly kind: string;
  /**
   * Does the work and returns its file, whose chunks its steps have written. Throws a `Problem` when it can never
   * succeed (its code and detail become the error of the operation) and DependencyUnavailable when it can later.
   */
  run(run: OperationRun<Input, Checkpoint>): Promise<ResultFile>;
}

/** A kind whose input and checkpoint only it knows; its input was checked when the operation was created. */
// biome-ignore lint/suspicious/noExplicitAny: JSON columns: each kind reads what it wrote itself.
export type AnyOperationKind = OperationKind<any, any>;

/** The work goes on later, at its checkpoint; until then the worker does other work. */
export class RunPaused extends Error {
  override readonly name = 'RunPaused';
  readonly pauseMs: number;

  constructor(pauseMs: number) {
    super(`goes on in ${pauseMs} ms`);
    this.pauseMs = pauseMs;
  }
}

/** Something that the work needs is unavailable now: it is tried again later, a limited number of times. */
export class DependencyUnavailable extends Error {
  override readonly name = 'DependencyUnavailable';
  /** What clients read when it stays unavailable. */
  readonly publicDetail: string;

  /** @param message for the log. */
  constructor(publicDetail: string, message: string) {
    super(message);
    this.publicDetail = publicDetail;
  }
}
