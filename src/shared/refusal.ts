/**
 * `invalid`: the request can never be done; `unknown`: its subject does not exist; `conflict`: the present
 * state forbids it.
 */
export type RefusalReason = 'invalid' | 'unknown' | 'conflict';

/** A refusal of a request of the platform, shown to operators by the admin CLI and the internal API alike. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly reason: RefusalReason;
  /** JSON Pointer to the wrong part of the request; empty for the whole request. */
  readonly field: string;

  constructor(reason: RefusalReason, message: string, field = '') {
    super(message);
    this.reason = reason;
    this.field = field;
  }
}
