import type { Transaction } from '../../../db/client.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { moveRound } from './move-round.ts';
import type { PredictionRound } from './schema.ts';
import { isTerminal, type RoundStatus } from './state.ts';

/** Voids a round with all its predictions, in the caller's transaction (contract/predictions#round-transitions). Throws Refusal. */
export async function voidRound(
  transaction: Transaction,
  outbox: Outbox,
  clock: Clock,
  roundId: string,
): Promise<PredictionRound> {
  const [held] = await transaction<{ status: RoundStatus }[]>`
    select status from prediction_rounds where id = ${roundId} for update`;
  if (held === undefined) throw new Refusal('unknown', `round ${roundId} does not exist`);
  if (isTerminal(held.status))
    throw new Refusal('conflict', `round ${roundId} is ${held.status}: it cannot be voided any more`);
  await voidPredictions(transaction, roundId);
  const outcome = { voidReason: 'cancelled' } as const;
  const move = { roundId, from: held.status, to: 'voided', at: clock.now(), outcome } as const;
  const round = await moveRound(transaction, outbox, move);
  if (round === null) throw new Error(`round ${roundId} changed although it was held`);
  return round;
}

/** The caller holds the round, so no submission is in progress. */
export async function voidPredictions(transaction: Transaction, roundId: string): Promise<void> {
  await transaction`
    update predictions set status = 'voided' where round_id = ${roundId} and status = 'accepted'`;
}
