import type { Queryable } from '../../../db/client.ts';

/** Facts from the database about a visible token's supply. */
export interface SupplyToken {
  /** Null before the launch. */
  poolAddress: string | null;
  /** Reported by ingest, for pools whose lock cannot be read from the chain; null without a report. */
  liquidityLock: StoredLiquidityLock | null;
  vaults: SupplyVaults;
}

/** Token accounts in the token's registration (contract/supply#vaults). */
export interface SupplyVaults {
  staking: readonly string[];
  tokenomics: readonly string[];
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
  stakingVaults: string[] | null;
  tokenomicsVaults: string[] | null;
}

export async function findSupplyToken(db: Queryable, mintAddress: string): Promise<SupplyToken | null> {
  const [row] = await db<Row[]>`
    select t.pool_address, l.pool_address as lock_pool_address, l.position_count, l.permanently_locked_bps,
      t.staking_vaults, t.tokenomics_vaults
    from visible_tokens t left join liquidity_locks l using (mint_address)
    where t.mint_address = ${mintAddress}`;
  if (row === undefined) return null;
  const vaults = { staking: row.stakingVaults ?? [], tokenomics: row.tokenomicsVaults ?? [] };
  return { poolAddress: row.poolAddress, liquidityLock: lockOf(row), vaults };
}

function lockOf({ lockPoolAddress, positionCount, permanentlyLockedBps }: Row): StoredLiquidityLock | null {
  if (lockPoolAddress === null || positionCount === null || permanentlyLockedBps === null) return null;
  return { poolAddress: lockPoolAddress, positionCount, permanentlyLockedBps };
}
