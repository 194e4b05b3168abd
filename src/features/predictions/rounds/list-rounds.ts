import type { Queryable } from '../../../db/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { type PredictionRound, type RoundRow, roundColumns, toRound } from './record.ts';

/** What a read of rounds finds of its token besides rounds. */
interface TokenFacts {
  predictionsEnabled: boolean | null;
}

/** A token without rounds, or without this one, has one row whose round columns are null. */
type Found<Row extends { id: string }> = TokenFacts & (Row | { id: null });

/**
 * One round of a visible token. Throws `token_not_found`, `prediction_token_not_enabled`,
 * `prediction_round_not_found`.
 */
export async function findRound(
  db: Queryable,
  mintAddress: string,
  roundId: string,
): Promise<PredictionRound> {
  const rows = await db<Found<RoundRow>[]>`
    select t.predictions_enabled, ${roundColumns(db)}
    from tokens t left join prediction_rounds r on r.id = ${roundId} and r.mint_address = t.mint_address
    where t.mint_address = ${mintAddress} and not t.hidden`;
  const [round] = requireRounds(rows);
  if (round === undefined) throw new Problem('prediction_round_not_found');
  return toRound(round);
}

export interface RoundPage {
  /** Newest first. */
  rounds: PredictionRound[];
  /** `beforeOrdinal` of the next page; null on the last one. */
  nextOrdinal: bigint | null;
}

// Above every ordinal: the first page runs the same statement as the others.
const BEFORE_ALL = 9_223_372_036_854_775_807n;

/** Rounds of a visible token, newest first. Throws `token_not_found`, `prediction_token_not_enabled`. */
export async function listRounds(
  db: Queryable,
  mintAddress: string,
  { limit, beforeOrdinal = BEFORE_ALL }: { limit: number; beforeOrdinal?: bigint | undefined },
): Promise<RoundPage> {
  const rows = await db<Found<RoundRow & { ordinal: bigint }>[]>`
    select t.predictions_enabled, l.*
    from tokens t left join lateral (
      select r.ordinal, ${roundColumns(db)} from prediction_rounds r
      where r.mint_address = ${mintAddress} and r.ordinal < ${beforeOrdinal}
      order by r.ordinal desc
      limit ${limit + 1}) l on true
    where t.mint_address = ${mintAddress} and not t.hidden
    order by l.ordinal desc`;
  const found = requireRounds(rows);
  const page = found.slice(0, limit);
  return {
    rounds: page.map(toRound),
    nextOrdinal: found.length > limit ? (page.at(-1)?.ordinal ?? null) : null,
  };
}

/** The rows that hold something. Throws when the token is unknown, hidden, or has no prediction allocation (contract/predictions#token-not-enabled). */
export function requireRounds<Row extends { id: string }>(rows: readonly Found<Row>[]): Row[] {
  const [first] = rows;
  if (first === undefined) throw new Problem('token_not_found');
  if (first.predictionsEnabled !== true) throw new Problem('prediction_token_not_enabled');
  return rows.filter((row): row is TokenFacts & Row => row.id !== null);
}
