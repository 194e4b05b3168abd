import type { Transaction } from '../../../db/client.ts';
import type { Logger } from '../../../shared/log.ts';
import type { ResultFile } from '../results/rows.ts';

/** `total` may grow while the amount of work is not known yet. */
export interface Progress {
  completed: bigint;
  total: bigint;
  unit: string;
}

/** The result of one step, stored in the transaction of the step. */
export interface Step<Checkpoint> {
  progress?: Progress;
  /** Where a later run continues. A new checkpoint also resets the counts of crashes and failures. */
  checkpoint?: Checkpoint;
}

/** One run of an operation under a lease. */
export interface OperationRun<Input, Checkpoint> {
  readonly operationId: string;
  readonly accountId: string;
  readonly input: Input;
  /** The checkpoint of the last step of an earlier run; null at the beginning. */
  readonly checkpoint: Checkpoint | null;
  /** Aborts when the lease is lost, the operation is to be cancelled, or the worker stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /**
   * Does one step: `work`, its progress and its checkpoint, in one transaction that only the holder of the
   * lease can commit. Throws when the run is over; do not catch that error.
   */
  step(work: (transaction: Transaction) => Promise<Step<Checkpoint>>): Promise<void>;
}

/**
 * A kind of work that the worker does. A run may be killed between any two steps and begins again elsewhere
 * from the last checkpoint, so effects of a step outside its transaction may happen twice.
 */
export interface OperationKind<Input, Checkpoint> {
  readonly kind: string;
  /**
   * Does the work and returns its file; its steps have written the chunks. Throws a `Problem` when the work
   * can never succeed (its code and detail become the error of the operation), and DependencyUnavailable when
   * it can succeed later.
   */
  run(run: OperationRun<Input, Checkpoint>): Promise<ResultFile>;
}

/**
 * A kind whose types of input and checkpoint are hidden; the input was checked when the operation was
 * created.
 */
// biome-ignore lint/suspicious/noExplicitAny: JSON columns: each kind reads what it wrote itself.
export type AnyOperationKind = OperationKind<any, any>;

/** The work continues later, at its checkpoint; the worker does other work meanwhile. */
export class RunPaused extends Error {
  override readonly name = 'RunPaused';
  readonly pauseMs: number;

  constructor(pauseMs: number) {
    super(`goes on in ${pauseMs} ms`);
    this.pauseMs = pauseMs;
  }
}

/** A dependency of the work is unavailable: the run is repeated later, a limited number of times. */
export class DependencyUnavailable extends Error {
  override readonly name = 'DependencyUnavailable';
  /** The detail for clients when it stays unavailable. */
  readonly publicDetail: string;

  /** @param message for the log */
  constructor(publicDetail: string, message: string) {
    super(message);
    this.publicDetail = publicDetail;
  }
}
