import type { Queryable } from '../../db/client.ts';

/** Fees of a token (contract/staking-fees#fee-state), in lamports. */
export interface FeeState {
  mintAddress: string;
  feeBps: { creator: number; platform: number; stakers: number };
  accruedLamports: string;
  distributedLamports: string;
  /** Of the wallet that asks. */
  claimableLamports: string;
  /** Observation of `feeBps` and `accruedLamports`; slot 0 at the token's creation while nothing was observed. */
  slot: string;
  asOf: string;
}

interface FeeStateRow {
  creatorBps: number;
  platformBps: number;
  stakersBps: number;
  accruedLamports: string;
  distributedLamports: string;
  claimableLamports: string;
  slot: bigint;
  asOf: Date;
}

/**
 * Fees of a visible token with what a wallet can claim of them, in one statement; null when there is no such token.
 * What was never observed is zero: the contract has no other value for a token without fees.
 */
export async function findFeeState(
  db: Queryable,
  mintAddress: string,
  walletAddress: string,
): Promise<FeeState | null> {
  const [row] = await db<FeeStateRow[]>`
    select coalesce(s.creator_bps, 0) as creator_bps, coalesce(s.platform_bps, 0) as platform_bps,
      coalesce(s.stakers_bps, 0) as stakers_bps, coalesce(s.accrued_lamports, 0) as accrued_lamports,
      coalesce(d.distributed_lamports, 0) as distributed_lamports,
      coalesce(c.claimable_lamports, 0) as claimable_lamports, coalesce(s.slot, 0) as slot,
      coalesce(s.as_of, t.created_at) as as_of
    from tokens t
    left join fee_states s using (mint_address)
    left join fee_totals d using (mint_address)
    left join fee_claimables c on c.mint_address = t.mint_address and c.wallet_address = ${walletAddress}
    where t.mint_address = ${mintAddress} and not t.hidden`;
  if (row === undefined) return null;
  return {
    mintAddress,
    feeBps: { creator: row.creatorBps, platform: row.platformBps, stakers: row.stakersBps },
    accruedLamports: row.accruedLamports,
    distributedLamports: row.distributedLamports,
    claimableLamports: row.claimableLamports,
    slot: row.slot.toString(),
    asOf: row.asOf.toISOString(),
  };
}
