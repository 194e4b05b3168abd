import type { IntentResultCode, OperationName, ProblemCode, ProblemCodeOf, Schemas } from './operations.ts';
import { shareClass } from './shared-class.ts';

/** Every `code` that an error of this package can have. */
export type ErrorCode =
  | ProblemCode
  | IntentResultCode
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_response';

/**
 * Base of every error of this package; branch on `code`. An abort is not one of them: it has the name of the signal's
 * reason.
 */
export abstract class LaunchwireError<Code extends ErrorCode = ErrorCode> extends Error {
  static {
    shareClass(LaunchwireError, 'LaunchwireError');
  }
  abstract readonly code: Code;
}

/** The API refused the request: its RFC 9457 problem. */
export class ProblemError<Code extends ProblemCode = ProblemCode> extends LaunchwireError<Code> {
  static {
    shareClass(ProblemError, 'ProblemError');
  }
  override readonly name = 'ProblemError';
  /** Branch on it. A server that is newer than this package may send a code that the type does not know. */
  readonly code: Code;
  readonly operation: OperationName | 'openStream';
  readonly status: number;
  /** The whole problem, as it was sent. */
  readonly problem: Schemas['Problem'];
  /** Seconds of `Retry-After`, where it was sent. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    operation: OperationName | 'openStream',
    problem: Schemas['Problem'],
    retryAfterSeconds: number | undefined,
  ) {
    super(`${problem.code}: ${problem.detail}${facts(problem)}${fieldErrors(problem)}`);
    this.code = problem.code as Code;
    this.operation = operation;
    this.status = problem.status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Give it to support. */
  get requestId(): string {
    return this.problem.requestId;
  }
}

/** No complete response: the connection failed, or nothing came within `timeoutMs`. */
export class ConnectionError extends LaunchwireError<'connection_failed' | 'timeout'> {
  static {
    shareClass(ConnectionError, 'ConnectionError');
  }
  override readonly name = 'ConnectionError';
  readonly code: 'connection_failed' | 'timeout';

  constructor(code: 'connection_failed' | 'timeout', message: string, cause?: unknown) {
    super(`${code}: ${message}`, { cause });
    this.code = code;
  }
}

/** A response that does not come from this API, for example the page of a proxy. */
export class UnexpectedResponseError extends LaunchwireError<'unexpected_response'> {
  static {
    shareClass(UnexpectedResponseError, 'UnexpectedResponseError');
  }
  override readonly name = 'UnexpectedResponseError';
  readonly code = 'unexpected_response';
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, retryAfterSeconds: number | undefined, what: string) {
    super(`unexpected_response: HTTP ${status} ${what}`);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A transaction was submitted and did not confirm. */
export class IntentError extends LaunchwireError<IntentResultCode> {
  static {
    shareClass(IntentError, 'IntentError');
  }
  override readonly name = 'IntentError';
  readonly code: IntentResultCode;
  readonly intent: Schemas['TransactionIntent'];

  constructor(intent: Schemas['TransactionIntent']) {
    const code = intent.error?.code ?? 'transaction_intent_expired';
    super(`${code}: ${intent.error?.detail ?? 'The intent expired before it was submitted.'}`);
    this.code = code;
    this.intent = intent;
  }
}

/** True for an error of this package, which has a typed `code`. */
export function isLaunchwireError(
  error: unknown,
): error is ProblemError | ConnectionError | UnexpectedResponseError | IntentError {
  return error instanceof LaunchwireError;
}

/** True for a problem of this operation, narrowed to the codes that it can have. */
export function isProblemOf<Name extends OperationName>(
  operation: Name,
  error: unknown,
): error is ProblemError<ProblemCodeOf<Name>> {
  return error instanceof ProblemError && error.operation === operation;
}

/** The detail names a single field itself, except on an older service. */
function fieldErrors({ detail, errors = [] }: Schemas['Problem']): string {
  const missing = errors.filter(({ path, message }) => !(detail.includes(path) && detail.includes(message)));
  return missing
    .map(({ path, message }) => ` ${path} ${message}${message.endsWith('?') ? '' : '.'}`)
    .join('');
}

/** The facts of this occurrence, for example the largest amount that a pool accepts. */
function facts({ context = {} }: Schemas['Problem']): string {
  const known = Object.entries(context).flatMap(([name, value]) => {
    const text = factText(value);
    return text === null ? [] : [`${name}: ${text}`];
  });
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}

/** One fact in words; null if it has no short form. */
function factText(value: unknown): string | null {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  const { program, number, name } = Object(value) as { program?: unknown; number?: unknown; name?: unknown };
  if (typeof program !== 'string') return null;
  // The error of a program: its name if it has one, and the number that explorers show.
  const known = [name, number].filter((part) => part !== null && part !== undefined).map(String);
  return known.length === 0 ? program : `${known.join(' ')} of ${program}`;
}
