import { Problem } from '../../../shared/problem.ts';

/** Facts about the token that a read of rounds also returns. */
interface TokenFacts {
  predictionsEnabled: boolean | null;
}

/** A token without rounds, or without this one, has a single row whose round columns are null. */
export type FoundRound<Row extends { id: string }> = TokenFacts & (Row | { id: null });

/**
 * Returns the rows with a round. Throws `prediction_token_not_enabled` when no visible token of this mint has
 * a prediction allocation (contract/predictions#token-not-enabled).
 */
export function requireRounds<Row extends { id: string }>(rows: readonly FoundRound<Row>[]): Row[] {
  if (rows[0]?.predictionsEnabled !== true) throw new Problem('prediction_token_not_enabled');
  return rows.filter((row): row is TokenFacts & Row => row.id !== null);
}
