import type { Transaction } from '../../../db/client.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import { moveRound } from './move-round.ts';
import type { PredictionRound } from './record.ts';
import { isTerminal, type RoundStatus } from './state.ts';

/** The result of voiding a round. */
export type VoidOutcome =
  | { outcome: 'voided'; round: PredictionRound }
  | { outcome: 'unknown' }
  /** The round has ended before, in this status. */
  | { outcome: 'ended'; status: RoundStatus };

/** Voids a round with all its predictions because an operator cancels it, in the caller's transaction (contract/predictions#round-transitions). */
export async function voidRound(
  transaction: Transaction,
  outbox: Outbox,
  clock: Clock,
  roundId: string,
): Promise<VoidOutcome> {
  const [held] = await transaction<{ status: RoundStatus }[]>`
    select status from prediction_rounds where id = ${roundId} for update`;
  if (held === undefined) return { outcome: 'unknown' };
  if (isTerminal(held.status)) return { outcome: 'ended', status: held.status };
  await voidPredictions(transaction, roundId);
  const outcome = { voidReason: 'cancelled' } as const;
  const move = { roundId, from: held.status, to: 'voided', at: clock.now(), outcome } as const;
  const round = await moveRound(transaction, outbox, move);
  if (round === null) throw new Error(`round ${roundId} changed although it was held`);
  return { outcome: 'voided', round };
}

/** The caller holds the round, so no prediction is on its way. */
export async function voidPredictions(transaction: Transaction, roundId: string): Promise<void> {
  await transaction`
    update predictions set status = 'voided' where round_id = ${roundId} and status = 'accepted'`;
}
