import type { Queryable } from '../../../db/client.ts';
import { type DecimalString, normaliseDecimal } from '../../../shared/decimal.ts';
import { Problem } from '../../../shared/problem.ts';
import { requireRounds } from './list-rounds.ts';

/** What everybody may know of a prediction once its round has locked (contract/predictions#round-predictions). */
export interface PredictionEntry {
  id: string;
  walletAddress: string;
  username: string;
  predictedPriceInSol: DecimalString;
  submittedAt: string;
}

/** Predictions of a round (contract/predictions#round-predictions): nothing exact before the durable lock. */
export type RoundEntries =
  | { visibility: 'aggregate'; participantCount: number }
  | {
      visibility: 'exact';
      participantCount: number;
      /** In the order of their ids. */
      entries: PredictionEntry[];
      /** `afterId` of the next page; null on the last one. */
      nextId: string | null;
    };

interface EntryRow {
  /** Of the round. */
  id: string;
  participantCount: number;
  isLocked: boolean;
  /** Null in the only row of a page without entries. */
  entryId: string | null;
  walletAddress: string;
  username: string;
  predictedPriceInSol: string;
  submittedAt: Date;
}

// Below every id: the first page runs the same statement as the others.
const AFTER_NONE = '00000000-0000-0000-0000-000000000000';

/**
 * Predictions of a round after `afterId`. Lock and entries are read by one statement, so no exact value can be seen
 * before the lock is. A round that was voided before its lock stays an aggregate for ever. Throws `token_not_found`,
 * `prediction_token_not_enabled`, `prediction_round_not_found`.
 */
export async function listEntries(
  db: Queryable,
  mintAddress: string,
  roundId: string,
  { limit, afterId = AFTER_NONE }: { limit: number; afterId?: string | undefined },
): Promise<RoundEntries> {
  const rows = await db<(({ id: null } | EntryRow) & { predictionsEnabled: boolean | null })[]>`
    select t.predictions_enabled, r.id, r.locked_at is not null as is_locked,
      coalesce(r.locked_participant_count, (
        select count(*)::int from predictions p where p.round_id = r.id)) as participant_count,
      e.id as entry_id, e.wallet_address, e.username, e.predicted_price_in_sol, e.submitted_at
    from tokens t left join prediction_rounds r on r.id = ${roundId} and r.mint_address = t.mint_address
    left join lateral (
      select id, wallet_address, username, predicted_price_in_sol, submitted_at from predictions
      where round_id = ${roundId} and id > ${afterId} and r.locked_at is not null
      order by id
      limit ${limit + 1}) e on true
    where t.mint_address = ${mintAddress} and not t.hidden
    order by e.id`;
  const found = requireRounds<EntryRow>(rows);
  const [first] = found;
  if (first === undefined) throw new Problem('prediction_round_not_found');
  const { participantCount } = first;
  if (!first.isLocked) return { visibility: 'aggregate', participantCount };
  const all = found.flatMap((row) => (row.entryId === null ? [] : [toEntry(row, row.entryId)]));
  const entries = all.slice(0, limit);
  const nextId = all.length > limit ? (entries.at(-1)?.id ?? null) : null;
  return { visibility: 'exact', participantCount, entries, nextId };
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
