/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command did not succeed: exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
