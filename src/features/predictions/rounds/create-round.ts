import type { Transaction } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { timedId } from '../../../shared/timed-id.ts';
import { type RoundRow, roundColumns, toRound } from './record.ts';
import type { PredictionRound } from './schema.ts';

/** An operator's plan of a round: opensAt < locksAt <= settlesAt. */
export interface NewRound {
  mintAddress: string;
  opensAt: Date;
  locksAt: Date;
  settlesAt: Date;
  minimumBalanceRaw: bigint;
  prizePoolLamports: bigint;
  requiresDelegatedIntent: boolean;
}

/**
 * Stores a scheduled round; the worker opens it at its time, at once when that has passed. Throws Refusal
 * when there is no such token. A token without a prediction allocation may have rounds, which nobody can
 * enter or read.
 */
export async function createRound(
  transaction: Transaction,
  clock: Clock,
  round: NewRound,
): Promise<PredictionRound> {
  const now = clock.now();
  const [row] = await transaction<RoundRow[]>`
    insert into prediction_rounds as r
      (id, mint_address, status, minimum_balance_raw, prize_pool_lamports, requires_delegated_intent, opens_at,
       locks_at, settles_at, created_at, updated_at)
    select ${timedId(now)}, mint_address, 'scheduled', ${round.minimumBalanceRaw.toString()},
      ${round.prizePoolLamports.toString()}, ${round.requiresDelegatedIntent}, ${round.opensAt}, ${round.locksAt},
      ${round.settlesAt}, ${now}, ${now}
    from tokens where mint_address = ${round.mintAddress}
    returning ${roundColumns(transaction)}`;
  if (row === undefined)
    throw new Refusal('invalid', `token ${round.mintAddress} does not exist`, '/mintAddress');
  return toRound(row);
}
