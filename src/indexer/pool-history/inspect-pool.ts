import type { ChainAccount } from '../../chain/accounts/account-data.ts';
import { isConstantProduct, readDammV1Pool } from '../../chain/accounts/damm-v1-pool.ts';
import { type MigrationTarget, migrationTarget } from '../../chain/accounts/derived-addresses.ts';
import { readPoolConfig } from '../../chain/accounts/pool-config.ts';
import { BONDING_CURVE, DAMM_V1, DAMM_V2, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { migrationProgress, readVirtualPool, type VirtualPool } from '../../chain/accounts/virtual-pool.ts';
import { readDammPoolKeys } from '../../chain/pools/damm/pool-account.ts';
import { type DecimalString, rawToDecimal } from '../../shared/decimal.ts';
import { toDate } from '../decode/pool-event.ts';
import type { UnusablePoolReason } from '../store/token-pools.ts';
import type { LaunchFact } from './batch-publisher.ts';

const SOL_DECIMALS = 9;

/** Reads accounts at one node, all of one slot. */
export type ReadAccounts = (
  addresses: readonly string[],
) => Promise<ReadonlyMap<string, ChainAccount | null>>;

/**
 * The kind of account at a registered address:
 * - `absent`: there is no account yet.
 * - `curve`: a curve, its steps, the reserve at which it is complete, and the AMM pool with its liquidity if it
 *   has migrated and the config shows the pool.
 * - `amm`: a pool of DAMM v2 or v1 that was registered itself.
 * - `unusable`: the account does not trade this token against SOL.
 */
export type PoolInspection =
  | { kind: 'absent' }
  | {
      kind: 'curve';
      facts: LaunchFact[];
      graduationThresholdInSol: DecimalString;
      migratedTo: MigrationTarget | null;
    }
  | { kind: 'amm'; program: AmmProgram }
  | { kind: 'unusable'; reason: UnusablePoolReason; program: 'dbc' | AmmProgram | 'other' };
type AmmProgram = 'damm_v2' | 'damm_v1';

/** Throws the errors of `read`. */
export async function inspectPool(
  read: ReadAccounts,
  { poolAddress, mintAddress }: { poolAddress: string; mintAddress: string },
): Promise<PoolInspection> {
  const account = (await read([poolAddress])).get(poolAddress) ?? null;
  if (account === null) return { kind: 'absent' };
  if (account.owner === DAMM_V2) return inspectDamm(account, mintAddress);
  if (account.owner === DAMM_V1) return inspectDammV1(account, mintAddress);
  if (account.owner !== BONDING_CURVE) return { kind: 'unusable', reason: 'other_program', program: 'other' };
  const pool = readVirtualPool(account);
  if (pool === null) return { kind: 'unusable', reason: 'unreadable', program: 'dbc' };
  if (pool.baseMint !== mintAddress) return { kind: 'unusable', reason: 'mint_differs', program: 'dbc' };
  return inspectCurve(read, pool, mintAddress);
}

function inspectDamm(account: ChainAccount, mintAddress: string): PoolInspection {
  const program = 'damm_v2';
  const keys = readDammPoolKeys(account);
  if (keys === null) return { kind: 'unusable', reason: 'unreadable', program };
  return inspectMints([keys.tokenAMint, keys.tokenBMint], mintAddress, program);
}

function inspectDammV1(account: ChainAccount, mintAddress: string): PoolInspection {
  const program = 'damm_v1';
  const pool = readDammV1Pool(account);
  if (pool === null) return { kind: 'unusable', reason: 'unreadable', program };
  if (!isConstantProduct(pool)) return { kind: 'unusable', reason: 'stable_pool', program };
  return inspectMints([pool.tokenAMint, pool.tokenBMint], mintAddress, program);
}

function inspectMints(mints: readonly string[], mintAddress: string, program: AmmProgram): PoolInspection {
  if (!mints.includes(mintAddress)) return { kind: 'unusable', reason: 'mint_differs', program };
  if (!mints.includes(WRAPPED_SOL_MINT)) return { kind: 'unusable', reason: 'quote_is_not_sol', program };
  return { kind: 'amm', program };
}

async function inspectCurve(
  read: ReadAccounts,
  pool: VirtualPool,
  mintAddress: string,
): Promise<PoolInspection> {
  const config = readPoolConfig((await read([pool.config])).get(pool.config) ?? null);
  if (config === null) return { kind: 'unusable', reason: 'unreadable', program: 'dbc' };
  if (config.quoteMint !== WRAPPED_SOL_MINT)
    return { kind: 'unusable', reason: 'quote_is_not_sol', program: 'dbc' };
  // The program refuses a config without a threshold.
  if (config.migrationQuoteThreshold === 0n)
    return { kind: 'unusable', reason: 'unreadable', program: 'dbc' };
  const isMigrated = pool.migrationProgress === migrationProgress.migrated;
  const migratedTo = isMigrated ? await migrationTarget(config, mintAddress) : null;
  const graduationThresholdInSol = rawToDecimal(config.migrationQuoteThreshold, SOL_DECIMALS);
  return { kind: 'curve', facts: factsOf(pool), graduationThresholdInSol, migratedTo };
}

/** The account shows when the curve was completed. The history shows its creation and migration. */
function factsOf({ migrationProgress: progress, finishCurveTimestamp }: VirtualPool): LaunchFact[] {
  if (progress === migrationProgress.bonding) return [{ stage: 'trading', at: null }];
  const completed: LaunchFact = {
    stage: 'completed',
    at: finishCurveTimestamp === 0n ? null : toDate(finishCurveTimestamp),
  };
  return progress === migrationProgress.migrated ? [completed, { stage: 'migrated', at: null }] : [completed];
}
