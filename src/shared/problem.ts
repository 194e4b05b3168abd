import { type ProblemCode, problemTable } from './problem-table.ts';

/** One invalid field (contract/errors#field-errors): JSON Pointer into the request part, and its error. */
export interface FieldError {
  path: string;
  code: FieldErrorCode;
  message: string;
}

export type FieldErrorCode =
  | 'required'
  | 'invalid_type'
  | 'invalid_format'
  | 'invalid_value'
  | 'out_of_range'
  | 'too_short'
  | 'too_long'
  | 'unknown_field';

/** Another failure found in the same check (contract/errors#causes). */
export interface ProblemCause {
  code: ProblemCode;
  detail?: string;
  context?: Readonly<Record<string, unknown>>;
}

export interface ProblemFacts {
  /** Public text about this occurrence; never text of an internal error. */
  detail?: string;
  errors?: readonly FieldError[];
  /** Safe, typed facts. */
  context?: Readonly<Record<string, unknown>>;
  causes?: readonly ProblemCause[];
  /** Seconds a client should wait; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** The internal reason, for the log only. */
  cause?: unknown;
}

/** A failure with a stable code that services throw; the HTTP layer renders it, nothing else does. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly facts: ProblemFacts;

  constructor(code: ProblemCode, facts: ProblemFacts = {}) {
    super(facts.detail ?? fieldDetail(facts.errors) ?? problemTable[code].detail, { cause: facts.cause });
    this.name = 'Problem';
    this.code = code;
    this.facts = facts;
  }
}

/** Describes the wrong field in `detail` when there is exactly one, else null. */
function fieldDetail(errors: readonly FieldError[] | undefined): string | null {
  const [error, another] = errors ?? [];
  if (error === undefined || another !== undefined) return null;
  const { path, message } = error;
  // A message that suggests a name ends as a question.
  return `${path}: ${message}${message.endsWith('?') ? '' : '.'}`;
}
