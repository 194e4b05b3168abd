interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
  [fact: string]: unknown;
}

/**
 * Properties that are logged besides message and stack. A list of allowed ones, because libraries attach
 * whole requests and rows to their errors: fetch of Bun the URL (`path`), Postgres the row (`detail`), the
 * driver query and parameters.
 */
const FACTS = [
  'code',
  'errno',
  'syscall',
  'severity',
  'constraint_name',
  'table_name',
  'column_name',
  'status',
  'reason',
] as const;

/** A longer chain of causes is cut: it may be circular. */
const CAUSES_MAX = 8;
const ERRORS_MAX = 5;

/** Converts any thrown value into the fields that may be logged. */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const described: LoggedError = { type: error.name, message: error.message };
  if (error.stack) described.stack = error.stack;
  for (const fact of FACTS) {
    const value: unknown = Reflect.get(error, fact);
    if (typeof value === 'string' || typeof value === 'number') described[fact] = value;
  }
  if (depth >= CAUSES_MAX) return described;
  if (error.cause !== undefined) described.cause = describeError(error.cause, depth + 1);
  if (error instanceof AggregateError)
    described.errors = error.errors.slice(0, ERRORS_MAX).map((one) => describeError(one, depth + 1));
  return described;
}
