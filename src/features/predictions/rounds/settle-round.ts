import type { Database, Transaction } from '../../../db/client.ts';
import type { DecimalString } from '../../../shared/decimal.ts';
import type { RoundContext } from './advance-round.ts';
import { findSettlementPrice } from './find-settlement-price.ts';
import { moveRound } from './move-round.ts';
import { sharePrizePool } from './payouts.ts';
import { voidPredictions } from './void-round.ts';

interface SettlingRound {
  mintAddress: string;
  settlesAt: Date;
  prizePoolLamports: string;
  participantCount: number;
  /** Null while the source of the token has no proof. */
  provenThrough: Date | null;
}

/** SQL: true when `findSettlingRounds` has a result at `now`. */
export function isRoundSettling(db: Database, now: Date, proofWaitMs: number): ReturnType<Database> {
  return db`exists (${settlingRounds(db, now, proofWaitMs, 1)})`;
}

/**
 * Finds rounds whose result can be stored, or whose wait for the proof is over, the longest waiting first.
 */
export async function findSettlingRounds(
  { db, clock, proofWaitMs }: Pick<RoundContext, 'db' | 'clock' | 'proofWaitMs'>,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`${settlingRounds(db, clock.now(), proofWaitMs, limit)}`;
  return rows.map(({ id }) => id);
}

function settlingRounds(db: Database, now: Date, proofWaitMs: number, limit: number): ReturnType<Database> {
  return db`
    select r.id from prediction_rounds r left join source_proofs s using (mint_address)
    where r.status = 'settling'
      and (s.through > r.settles_at or r.settles_at <= ${new Date(now.getTime() - proofWaitMs)})
    order by r.settles_at limit ${limit}`;
}

/**
 * Stores the result of a settling round: every rank, distance and payout, the price and the event in one
 * transaction. It waits until the token's source is proven past `settlesAt`: then every trade that decides
 * the price is stored, independent of the speed of the indexer. Without that proof in time, or without a
 * price, the round is voided. False when nothing can be done yet, or another worker was first.
 */
export async function settleRound(context: RoundContext, roundId: string): Promise<boolean> {
  const { db, outbox, clock, proofWaitMs } = context;
  const round = await db.begin(async (transaction) => {
    const held = await holdSettlingRound(transaction, roundId);
    if (held === null) return null;
    const { mintAddress, settlesAt, provenThrough } = held;
    const at = new Date(Math.max(clock.now().getTime(), settlesAt.getTime()));
    const isProven = provenThrough !== null && provenThrough > settlesAt;
    if (!isProven && at.getTime() - settlesAt.getTime() < proofWaitMs) return null;
    const price = isProven ? await findSettlementPrice(transaction, mintAddress, settlesAt) : null;
    if (price === null) {
      await voidPredictions(transaction, roundId);
      const outcome = { voidReason: isProven ? 'no_price' : 'source_not_proven' } as const;
      return moveRound(transaction, outbox, { roundId, from: 'settling', to: 'voided', at, outcome });
    }
    const payouts = sharePrizePool(BigInt(held.prizePoolLamports), held.participantCount);
    await rankPredictions(transaction, roundId, price, payouts);
    const outcome = { settledAt: at, settlementPriceInSol: price };
    return moveRound(transaction, outbox, { roundId, from: 'settling', to: 'settled', at, outcome });
  });
  if (round === null) return false;
  context.onRoundsChanged();
  return true;
}

async function holdSettlingRound(transaction: Transaction, roundId: string): Promise<SettlingRound | null> {
  const [row] = await transaction<SettlingRound[]>`
    select mint_address, settles_at, prize_pool_lamports, locked_participant_count as participant_count,
      (select through from source_proofs s where s.mint_address = r.mint_address) as proven_through
    from prediction_rounds r where id = ${roundId} and status = 'settling'
    for update skip locked`;
  return row ?? null;
}

/**
 * Ranks all predictions of a round in one statement, so that memory does not grow with their number: by
 * `distancePpm`, then `submittedAt`, then id (contract/predictions#distance). distance = |predicted − price|
 * × 1,000,000 / price rounded half up, as the exact integer quotient (2 × 1,000,000 × |predicted − price| +
 * price) / (2 × price). A share of zero is no payout.
 *
 * @param payouts lamports by rank, best first
 */
export async function rankPredictions(
  transaction: Transaction,
  roundId: string,
  price: DecimalString,
  payouts: readonly bigint[],
): Promise<void> {
  // Without fresh statistics the planner underestimates the round and compares every row with every rank:
  // 100,000 predictions then took more than 30 s, and 6 s by hashing (measured, two busy cores).
  await transaction`set local enable_nestloop = off`;
  await transaction`
    with measured as (
      select id, submitted_at,
        div(abs(predicted_price_in_sol - ${price}::numeric) * 2000000 + ${price}::numeric, 2 * ${price}::numeric)
          as distance_ppm
      from predictions where round_id = ${roundId} and status = 'accepted'),
    ranked as (
      select id, distance_ppm, row_number() over (order by distance_ppm, submitted_at, id) as rank from measured)
    update predictions p
    set status = 'settled', rank = r.rank, distance_ppm = r.distance_ppm, payout_lamports = nullif(w.lamports, 0)
    from ranked r
    left join unnest(${payouts.map(String)}::numeric[]) with ordinality as w (lamports, rank) on w.rank = r.rank
    where p.id = r.id`;
}
