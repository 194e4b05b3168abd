import { BONDING_CURVE, DAMM_V1, DAMM_V2 } from '../../chain/accounts/programs.ts';
import type { Queryable } from '../../db/client.ts';
import type { poolPrograms, unusablePoolReasons } from '../../db/values/pools.ts';
import type { DecimalString } from '../../shared/decimal.ts';
import type { Venue } from '../decode/known-pools.ts';

export type PoolProgram = (typeof poolPrograms)[number];
export type UnusablePoolReason = (typeof unusablePoolReasons)[number];

const programs: ReadonlyMap<string, PoolProgram> = new Map([
  [BONDING_CURVE, 'dbc'],
  [DAMM_V1, 'damm_v1'],
  [DAMM_V2, 'damm_v2'],
]);

export function poolProgramOf(programAddress: string): PoolProgram {
  return programs.get(programAddress) ?? 'other';
}

/** The venue whose decoder reads the trades of a pool. */
export function venueOf(program: Exclude<PoolProgram, 'other'>): Venue {
  if (program === 'damm_v2') return 'damm';
  return program === 'damm_v1' ? 'damm_v1' : 'dbc';
}

/** The state of a token's registered pool from its account. */
export interface InspectedPool {
  poolAddress: string;
  mintAddress: string;
  program: PoolProgram;
  unusableReason: UnusablePoolReason | null;
  /** The SOL at which a curve is complete; null for other accounts. */
  graduationThresholdInSol: DecimalString | null;
}

export async function storeInspectedPool(
  db: Queryable,
  { poolAddress, mintAddress, program, unusableReason, graduationThresholdInSol }: InspectedPool,
  now: Date,
): Promise<void> {
  await db`
    insert into token_pools (pool_address, mint_address, program, unusable_reason, graduation_threshold_in_sol, created_at)
    values (${poolAddress}, ${mintAddress}, ${program}, ${unusableReason}, ${graduationThresholdInSol}, ${now})
    on conflict (pool_address) do update set mint_address = excluded.mint_address, program = excluded.program,
      unusable_reason = excluded.unusable_reason, graduation_threshold_in_sol = excluded.graduation_threshold_in_sol`;
}

/** The AMM pool of a curve. The migration is null while only the curve's config shows the pool. */
export interface AmmPoolOfCurve {
  poolAddress: string;
  mintAddress: string;
  program: PoolProgram;
  curvePoolAddress: string;
  configAddress: string | null;
  migration: { signature: string; slot: bigint; transactionIndex: number } | null;
}

/** Stores the AMM pool. Known values stay, because the migration is seen once, in either of its two pools. */
export async function storeAmmPool(db: Queryable, pool: AmmPoolOfCurve, now: Date): Promise<void> {
  const { poolAddress, mintAddress, program, curvePoolAddress, configAddress, migration } = pool;
  await db`
    insert into token_pools as p (pool_address, mint_address, program, curve_pool_address, config_address,
      migration_signature, migration_slot, migration_transaction_index, created_at)
    values (${poolAddress}, ${mintAddress}, ${program}, ${curvePoolAddress}, ${configAddress},
      ${migration?.signature ?? null}, ${migration?.slot.toString() ?? null}::int8,
      ${migration?.transactionIndex ?? null}, ${now})
    on conflict (pool_address) do update set curve_pool_address = excluded.curve_pool_address,
      config_address = coalesce(p.config_address, excluded.config_address),
      migration_signature = coalesce(p.migration_signature, excluded.migration_signature),
      migration_slot = coalesce(p.migration_slot, excluded.migration_slot),
      migration_transaction_index = coalesce(p.migration_transaction_index, excluded.migration_transaction_index)
    where p.mint_address = excluded.mint_address`;
}

/** The pool is not read until then. */
export async function restPool(
  db: Queryable,
  { poolAddress, mintAddress }: { poolAddress: string; mintAddress: string },
  until: Date,
  now: Date,
): Promise<void> {
  await db`
    insert into token_pools (pool_address, mint_address, program, rests_until, created_at)
    values (${poolAddress}, ${mintAddress}, 'dbc', ${until}, ${now})
    on conflict (pool_address) do update set rests_until = excluded.rests_until`;
}
