/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command did not succeed: exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  /** The code of a delivery that the service would list for it. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}
