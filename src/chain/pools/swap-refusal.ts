import type { CurveErrorName } from './curve/curve-errors.ts';
import type { DammErrorName } from './damm/damm-errors.ts';

/** Errors that both programs have, each with its own number. Shared arithmetic refuses with these. */
type SharedErrorName = CurveErrorName & DammErrorName;

/** Thrown by the arithmetic when the program would refuse the swap. Quotes turn it into a `FailedSwap`. */
export class SwapRefusal<Name extends string = SharedErrorName> extends Error {
  readonly errorName: Name;

  constructor(errorName: Name) {
    super(errorName);
    this.errorName = errorName;
  }
}

/** A swap that the program refuses: the transaction fails with this custom error. */
export interface FailedSwap<Name extends string> {
  outcome: 'failed';
  error: { number: number; name: Name };
}

/** The refusal that the arithmetic threw. Any other error is a defect and is thrown again. */
export function failureOf<Name extends string>(
  thrown: unknown,
  errorNumbers: Readonly<Record<Name, number>>,
): FailedSwap<Name> {
  if (!(thrown instanceof SwapRefusal)) throw thrown;
  const name = thrown.errorName as Name;
  return { outcome: 'failed', error: { number: errorNumbers[name], name } };
}
