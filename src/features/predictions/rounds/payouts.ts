/** Number of ranks that share the prize pool (contract/predictions#payouts). */
export const WINNERS_MAX = 10;
/** Divisible by every rank, so that weights in proportion to 1/rank are whole numbers. */
const LEAST_COMMON_MULTIPLE = 2_520n;

/**
 * Shares the prize pool among the best 10 in proportion to 1/rank, in whole lamports; the best ranks get the
 * remainder, one lamport each. The shares add up to the pool; without participants there are none.
 *
 * @returns lamports by rank, best first
 */
export function sharePrizePool(poolLamports: bigint, participantCount: number): bigint[] {
  const weights = Array.from(
    { length: Math.min(participantCount, WINNERS_MAX) },
    (_, index) => LEAST_COMMON_MULTIPLE / BigInt(index + 1),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const shares = weights.map((weight) => (poolLamports * weight) / total);
  const leftOver = poolLamports - shares.reduce((sum, share) => sum + share, 0n);
  return shares.map((share, index) => (BigInt(index) < leftOver ? share + 1n : share));
}
