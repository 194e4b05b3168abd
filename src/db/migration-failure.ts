/** A migration, or a text of the database's program, that failed: names it with the reason. */
export class MigrationFailure extends Error {
  override readonly name = 'MigrationFailure';

  constructor(subject: string, cause: unknown) {
    super(`${subject}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
