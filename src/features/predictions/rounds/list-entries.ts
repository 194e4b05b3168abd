import type { Queryable } from '../../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import { normaliseDecimal } from '../../../shared/decimal.ts';
import { Problem } from '../../../shared/problem.ts';
import type { PredictionEntry } from './schema.ts';

/**
 * Predictions of a round (contract/predictions#round-predictions): no exact values before the durable lock.
 */
export type RoundEntries =
  | { visibility: 'aggregate'; participantCount: number }
  | { visibility: 'exact'; participantCount: number; page: KeysetPage<PredictionEntry, EntryPosition> };

/** Entries are sorted by their ids. */
export type EntryPosition = readonly [id: string];

interface EntryRow {
  participantCount: number;
  isLocked: boolean;
  /** Null in the only row of a page without entries. */
  entryId: string | null;
  walletAddress: string;
  username: string;
  predictedPriceInSol: string;
  submittedAt: Date;
}

// Sorts before the first entry: the first page runs the same statement as the others.
const BEFORE_ALL: EntryPosition = ['00000000-0000-0000-0000-000000000000'];

/**
 * Lists the predictions of a round. One statement reads lock and entries, so no exact value is visible before
 * the lock. A round that was voided before its lock stays an aggregate for ever. Throws
 * `prediction_round_not_found`.
 */
export async function listEntries(
  db: Queryable,
  mintAddress: string,
  roundId: string,
  { limit, after = BEFORE_ALL }: { limit: number; after?: EntryPosition | undefined },
): Promise<RoundEntries> {
  const [afterId] = after;
  const rows = await db<EntryRow[]>`
    select r.locked_at is not null as is_locked,
      coalesce(r.locked_participant_count, (
        select count(*)::int from predictions p where p.round_id = r.id)) as participant_count,
      e.id as entry_id, e.wallet_address, e.username, e.predicted_price_in_sol, e.submitted_at
    from visible_tokens t join prediction_rounds r on r.id = ${roundId} and r.mint_address = t.mint_address
    left join lateral (
      select id, wallet_address, username, predicted_price_in_sol, submitted_at from predictions
      where round_id = ${roundId} and id > ${afterId} and r.locked_at is not null
      order by id
      limit ${limit + 1}) e on true
    where t.mint_address = ${mintAddress} and t.predictions_enabled
    order by e.id`;
  const [first] = rows;
  if (first === undefined) throw new Problem('prediction_round_not_found');
  const { participantCount } = first;
  if (!first.isLocked) return { visibility: 'aggregate', participantCount };
  const entries = rows.flatMap((row) => (row.entryId === null ? [] : [toEntry(row, row.entryId)]));
  return {
    visibility: 'exact',
    participantCount,
    page: keysetPage(
      entries,
      limit,
      (entry) => entry,
      ({ id }) => [id],
    ),
  };
}

function toEntry(row: EntryRow, id: string): PredictionEntry {
  return {
    id,
    walletAddress: row.walletAddress,
    username: row.username,
    predictedPriceInSol: normaliseDecimal(row.predictedPriceInSol),
    submittedAt: row.submittedAt.toISOString(),
  };
}
