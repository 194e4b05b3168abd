import type { Database, Queryable } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { wait } from '../../shared/loop.ts';
import type { TokenPool } from '../decode/known-pools.ts';
import type { SteadyTime } from '../steady-time.ts';
import { type PoolProgram, venueOf } from '../store/token-pools.ts';

/** The pool of a new token is polled after this time at most, while the listing is quick. */
const REFRESH_MS = 1_000;
/** The listing takes at most a twentieth of the time: with 10,000 pools some 100 ms, every 2 s. */
const REFRESH_SHARE = 20;

/** A pool to read, and the known facts about it. */
export type IndexedPool = TokenPool & {
  /**
   * Whether its account was read. Until then the pool may belong to any program. A curve that an earlier
   * release read without its threshold is read once more.
   */
  isInspected: boolean;
  /** A curve whose liquidity has moved to an AMM. It has no more trades. */
  isMigrated: boolean;
  /** The position of the migration, once known. Only for an AMM pool to which a curve migrated. */
  migration: { slot: bigint; transactionIndex: number } | null;
};

interface PoolRow {
  poolAddress: string;
  mintAddress: string;
  decimals: number;
  program: PoolProgram | null;
  /** Whether its account was read, and its program is known. */
  isKnown: boolean;
  /** Whether everything that this release reads of it was read. Null if nothing was. */
  isComplete: boolean | null;
  isMigrated: boolean;
  migrationSlot: bigint | null;
  migrationTransactionIndex: number | null;
}

/**
 * The pools to read of all known tokens (contract/ingest#chain-indexer): the registered pool and the AMM pool
 * to which its curve migrated. Hidden tokens are included, so that a token has its history when it is shown
 * again. Resting pools are left out: unusable pools, and curves that were read past their migration.
 */
export async function listIndexedPools(db: Queryable, now: Date): Promise<IndexedPool[]> {
  const isAwake = db`(p.rests_until is null or p.rests_until <= ${now})`;
  const rows = await db<PoolRow[]>`
    select t.pool_address, t.mint_address, t.decimals, p.program,
      p.pool_address is not null and p.unusable_reason is null and p.program <> 'other' as is_known,
      p.program <> 'dbc' or p.graduation_threshold_in_sol is not null
        or t.curve_stage is not distinct from 'migrated' as is_complete,
      exists (select from token_pools a where a.curve_pool_address = t.pool_address) as is_migrated,
      p.migration_slot, p.migration_transaction_index, t.ordinal
    from tokens t left join token_pools p on p.pool_address = t.pool_address and p.mint_address = t.mint_address
    where t.pool_address is not null and ${isAwake}
    union all
    select p.pool_address, p.mint_address, t.decimals, p.program, true, true, false,
      p.migration_slot, p.migration_transaction_index, t.ordinal
    from token_pools p join tokens t using (mint_address)
    where p.program in ('damm_v2', 'damm_v1') and p.curve_pool_address is not null and p.pool_address is distinct from t.pool_address
      and ${isAwake}
    order by ordinal`;
  return rows.map(toIndexedPool);
}

function toIndexedPool(row: PoolRow): IndexedPool {
  const { poolAddress, mintAddress, decimals, isKnown, isMigrated } = row;
  const { migrationSlot, migrationTransactionIndex } = row;
  const migration =
    migrationSlot === null || migrationTransactionIndex === null
      ? null
      : { slot: migrationSlot, transactionIndex: migrationTransactionIndex };
  const { program } = row;
  const isInspected = isKnown && row.isComplete === true;
  const venue = !isKnown || program === null || program === 'other' ? 'unknown' : venueOf(program);
  return { poolAddress, mintAddress, decimals, venue, isInspected, isMigrated, migration };
}

export interface ListedPoolsDependencies {
  db: Database;
  clock: Clock;
  log: Logger;
  time: SteadyTime;
  signal: AbortSignal;
}

/**
 * Lists the pools to read again and again until the signal aborts. Reading runs at the same time and never
 * waits for it. Never rejects: a failure is logged once per streak, and the pools of the last list stay.
 */
export async function keepListed(
  { db, clock, log, time, signal }: ListedPoolsDependencies,
  onListed: (pools: readonly IndexedPool[]) => void,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const beganAtMs = performance.now();
    try {
      const pools = await listIndexedPools(db, clock.now());
      if (!signal.aborted) onListed(pools);
      failures = 0;
    } catch (err) {
      failures += 1;
      if (failures === 1) log.error({ err }, 'indexer.pools_not_listed');
    }
    await wait(Math.max(time.timerMs(REFRESH_MS), (performance.now() - beganAtMs) * REFRESH_SHARE), signal);
  }
}
