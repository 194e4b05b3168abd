/** `invalid`: what was asked can never be done; `unknown`: what it is about does not exist; `conflict`: not in its present state. */
export type RefusalReason = 'invalid' | 'unknown' | 'conflict';

/** Why a service does not do what the platform asks of it: shown to operators by the admin CLI and the internal API alike. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly reason: RefusalReason;
  /** JSON Pointer to what is wrong of the request; empty for all of it. */
  readonly field: string;

  constructor(reason: RefusalReason, message: string, field = '') {
    super(message);
    this.reason = reason;
    this.field = field;
  }
}
