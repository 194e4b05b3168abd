import type { Queryable } from '../../../db/client.ts';

/** What the database knows of a visible token's supply. */
export interface SupplyToken {
  /** Null: not launched. */
  poolAddress: string | null;
  /** Reported by ingest, for pools whose lock cannot be read from chain; null when never reported. */
  liquidityLock: StoredLiquidityLock | null;
}

export interface StoredLiquidityLock {
  poolAddress: string;
  positionCount: number;
  permanentlyLockedBps: number;
}

interface Row {
  poolAddress: string | null;
  lockPoolAddress: string | null;
  positionCount: number | null;
  permanentlyLockedBps: number | null;
}

/** The visible token with this mint, or null (contract/tokens#visibility). */
export async function findSupplyToken(db: Queryable, mintAddress: string): Promise<SupplyToken | null> {
  const [row] = await db<Row[]>`
    select t.pool_address, l.pool_address as lock_pool_address, l.position_count, l.permanently_locked_bps
    from tokens t left join liquidity_locks l using (mint_address)
    where t.mint_address = ${mintAddress} and not t.hidden`;
  return row === undefined ? null : { poolAddress: row.poolAddress, liquidityLock: lockOf(row) };
}

function lockOf({ lockPoolAddress, positionCount, permanentlyLockedBps }: Row): StoredLiquidityLock | null {
  if (lockPoolAddress === null || positionCount === null || permanentlyLockedBps === null) return null;
  return { poolAddress: lockPoolAddress, positionCount, permanentlyLockedBps };
}
