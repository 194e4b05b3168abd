import type { Queryable } from '../../../db/client.ts';
import { normaliseDecimal } from '../../../shared/decimal.ts';
import type { PredictionRound } from './schema.ts';
import type { RoundStatus, VoidReason } from './state.ts';

/** Columns of `prediction_rounds` with the count of its predictions. */
export interface RoundRow {
  id: string;
  mintAddress: string;
  status: RoundStatus;
  minimumBalanceRaw: string;
  prizePoolLamports: string;
  requiresDelegatedIntent: boolean;
  opensAt: Date;
  locksAt: Date;
  settlesAt: Date;
  lockedAt: Date | null;
  settledAt: Date | null;
  settlementPriceInSol: string | null;
  voidReason: VoidReason | null;
  participantCount: number;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Columns of a RoundRow, from `prediction_rounds r`: the participants counted by the lock, before it the
 * current predictions.
 */
export function roundColumns(db: Queryable) {
  return db`
    r.id, r.mint_address, r.status, r.minimum_balance_raw, r.prize_pool_lamports, r.requires_delegated_intent,
    r.opens_at, r.locks_at, r.settles_at, r.locked_at, r.settled_at, r.settlement_price_in_sol, r.void_reason,
    coalesce(r.locked_participant_count, (
      select count(*)::int from predictions p where p.round_id = r.id)) as participant_count,
    r.created_at, r.updated_at`;
}

export function toRound(row: RoundRow): PredictionRound {
  const { settlementPriceInSol: price } = row;
  return {
    id: row.id,
    mintAddress: row.mintAddress,
    status: row.status,
    minimumBalanceRaw: row.minimumBalanceRaw,
    prizePoolLamports: row.prizePoolLamports,
    requiresDelegatedIntent: row.requiresDelegatedIntent,
    opensAt: row.opensAt.toISOString(),
    locksAt: row.locksAt.toISOString(),
    settlesAt: row.settlesAt.toISOString(),
    lockedAt: row.lockedAt?.toISOString() ?? null,
    settledAt: row.settledAt?.toISOString() ?? null,
    settlementPriceInSol: price === null ? null : normaliseDecimal(price),
    voidReason: row.voidReason,
    participantCount: row.participantCount,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
