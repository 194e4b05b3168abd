import type { Queryable } from '../../db/client.ts';
import type { FeeState } from './schema.ts';

interface FeeStateRow {
  creatorBps: number | null;
  platformBps: number;
  stakersBps: number;
  accruedLamports: string;
  distributedLamports: string;
  claimableLamports: string;
  slot: bigint;
  asOf: Date;
}

/**
 * Reads the fees of a visible token and a wallet's claimable part, in one statement. For a token with a pool
 * only facts from the chain count. `unknown` before the first report; null when there is no such token.
 */
export async function findFeeState(
  db: Queryable,
  mintAddress: string,
  walletAddress: string,
): Promise<FeeState | 'unknown' | null> {
  const [row] = await db<FeeStateRow[]>`
    select s.creator_bps, s.platform_bps, s.stakers_bps, s.accrued_lamports::text,
      coalesce(s.distributed_lamports, d.distributed_lamports, 0)::text as distributed_lamports,
      coalesce(c.claimable_lamports, 0)::text as claimable_lamports, s.slot, s.as_of
    from visible_tokens t
    left join fee_states s on s.mint_address = t.mint_address
      and (t.pool_address is null or s.source = 'chain')
    left join fee_totals d on d.mint_address = t.mint_address
    left join fee_claimables c on c.mint_address = t.mint_address and c.wallet_address = ${walletAddress}
      and (t.pool_address is null or c.source = 'chain')
    where t.mint_address = ${mintAddress}`;
  if (row === undefined) return null;
  if (row.creatorBps === null) return 'unknown';
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
