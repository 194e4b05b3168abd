import type { Transaction } from '../../../db/client.ts';
import type { Outbox } from '../../../outbox/append.ts';
import { type RoundRow, roundColumns, toRound } from './record.ts';
import type { PredictionRound } from './schema.ts';
import { type RoundStatus, transitionEvent, type VoidReason } from './state.ts';

/** One transition of a round, with the columns that it writes besides the status. */
export interface RoundMove {
  roundId: string;
  from: RoundStatus;
  to: RoundStatus;
  at: Date;
  outcome?:
    | { lockedAt: Date; lockedParticipantCount: number }
    | { settledAt: Date; settlementPriceInSol: string }
    | { voidReason: VoidReason };
}

/**
 * Makes a transition and adds its event, in the caller's transaction. Null when the round is no longer in
 * `from`: then nothing changes. Rounds of hidden tokens send no events (contract/tokens#visibility).
 */
export async function moveRound(
  transaction: Transaction,
  outbox: Outbox,
  { roundId, from, to, at, outcome = undefined }: RoundMove,
): Promise<PredictionRound | null> {
  const event = transitionEvent(from, to);
  const [row] = await transaction<(RoundRow & { hidden: boolean })[]>`
    update prediction_rounds r
    set ${transaction({ status: to, ...outcome })}, updated_at = greatest(r.updated_at, ${at})
    from tokens t
    where t.mint_address = r.mint_address and r.id = ${roundId} and r.status = ${from}
    returning ${roundColumns(transaction)}, t.hidden`;
  if (row === undefined) return null;
  const round = toRound(row);
  if (event !== null && !row.hidden) {
    await outbox.append(transaction, { name: event, subject: roundId, accountId: null, data: round });
  }
  return round;
}
