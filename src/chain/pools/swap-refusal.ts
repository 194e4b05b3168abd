import type { CurveErrorName } from './curve/curve-errors.ts';
import type { DammErrorName } from './damm/damm-errors.ts';

/** Errors that both programs know, with numbers of their own; arithmetic that they share refuses by these. */
type SharedErrorName = CurveErrorName & DammErrorName;

/** A program's refusal on its way out of the arithmetic; quotes turn it into a `FailedSwap`. */
export class SwapRefusal<Name extends string = SharedErrorName> extends Error {
  readonly errorName: Name;

  constructor(errorName: Name) {
    super(errorName);
    this.errorName = errorName;
  }
}

/** The swap as the program refuses it: the transaction fails with this custom error. */
export interface FailedSwap<Name extends string> {
  outcome: 'failed';
  error: { number: number; name: Name };
}

/** The refusal that the arithmetic threw; any other error is a defect and is thrown on. */
export function failureOf<Name extends string>(
  thrown: unknown,
  errorNumbers: Readonly<Record<Name, number>>,
): FailedSwap<Name> {
  if (!(thrown instanceof SwapRefusal)) throw thrown;
  const name = thrown.errorName as Name;
  return { outcome: 'failed', error: { number: errorNumbers[name], name } };
}
