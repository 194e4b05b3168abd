import type { Queryable } from '../../db/client.ts';
import type { TokenPool } from '../decode/known-pools.ts';
import { type PoolProgram, venueOf } from '../store/token-pools.ts';

/** A pool to read, with what is known of it. */
export type IndexedPool = TokenPool & {
  /** Whether its account was read: until then it may be a pool of any program. */
  isInspected: boolean;
  /** A curve whose liquidity has moved on: it has no more trades. */
  isMigrated: boolean;
  /** Of an AMM pool that a curve migrated to: where in the chain that was, once known. */
  migration: { slot: bigint; transactionIndex: number } | null;
};

interface PoolRow {
  poolAddress: string;
  mintAddress: string;
  decimals: number;
  program: PoolProgram | null;
  isInspected: boolean;
  isMigrated: boolean;
  migrationSlot: bigint | null;
  migrationTransactionIndex: number | null;
}

/**
 * The pools to read of all known tokens (contract/ingest#chain-indexer), hidden ones too, so that a token shown again
 * has its history: the registered one and the AMM pool that its curve migrated to. Left out are pools that rest: those
 * that cannot be used, and curves that were read past their migration.
 */
export async function listIndexedPools(db: Queryable, now: Date): Promise<IndexedPool[]> {
  const isAwake = db`(p.rests_until is null or p.rests_until <= ${now})`;
  const rows = await db<PoolRow[]>`
    select t.pool_address, t.mint_address, t.decimals, p.program,
      p.pool_address is not null and p.unusable_reason is null and p.program <> 'other' as is_inspected,
      exists (select from token_pools a where a.curve_pool_address = t.pool_address) as is_migrated,
      p.migration_slot, p.migration_transaction_index, t.ordinal
    from tokens t left join token_pools p on p.pool_address = t.pool_address and p.mint_address = t.mint_address
    where t.pool_address is not null and ${isAwake}
    union all
    select p.pool_address, p.mint_address, t.decimals, p.program, true, false,
      p.migration_slot, p.migration_transaction_index, t.ordinal
    from token_pools p join tokens t using (mint_address)
    where p.program in ('damm_v2', 'damm_v1') and p.curve_pool_address is not null and p.pool_address is distinct from t.pool_address
      and ${isAwake}
    order by ordinal`;
  return rows.map(toIndexedPool);
}

function toIndexedPool(row: PoolRow): IndexedPool {
  const { poolAddress, mintAddress, decimals, isInspected, isMigrated } = row;
  const { migrationSlot, migrationTransactionIndex } = row;
  const migration =
    migrationSlot === null || migrationTransactionIndex === null
      ? null
      : { slot: migrationSlot, transactionIndex: migrationTransactionIndex };
  const { program } = row;
  const venue = !isInspected || program === null || program === 'other' ? 'unknown' : venueOf(program);
  return { poolAddress, mintAddress, decimals, venue, isInspected, isMigrated, migration };
}
