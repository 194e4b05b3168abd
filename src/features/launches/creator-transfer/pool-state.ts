import type { ChainAccount } from '../../../chain/accounts/account-data.ts';
import { readCurveAccrued } from '../../../chain/accounts/accrued-fees.ts';
import { WRAPPED_SOL_MINT } from '../../../chain/accounts/programs.ts';
import { migrationProgress } from '../../../chain/accounts/virtual-pool.ts';
import { readCurveConfigKeys } from '../../../chain/pools/curve/config-account.ts';
import { readCurvePool, readCurvePoolKeys } from '../../../chain/pools/curve/pool-account.ts';

/** A curve pool as far as a change of its creator concerns it. */
export interface PoolState {
  creatorWallet: string;
  configAddress: string;
  progress: 'bonding' | 'migrating' | 'migrated';
  /** Unclaimed fees of the creator in base units of the token. */
  claimableTokenRaw: bigint;
}

/** Null when the account is no curve pool of the mint. */
export function readPoolState(account: ChainAccount | null, mintAddress: string): PoolState | null {
  const pool = readCurvePool(account);
  const keys = readCurvePoolKeys(account);
  if (pool === null || keys?.baseMint !== mintAddress) return null;
  return {
    creatorWallet: keys.creator,
    configAddress: keys.config,
    progress: progressOf(pool.migrationProgress),
    claimableTokenRaw: pool.creatorBaseFee,
  };
}

function progressOf(migration: number): PoolState['progress'] {
  if (migration === migrationProgress.bonding) return 'bonding';
  return migration === migrationProgress.migrated ? 'migrated' : 'migrating';
}

/** Unclaimed fees of the creator in lamports; null when the curve is not quoted in SOL. Both accounts are of one slot. */
export function claimableLamports(pool: ChainAccount | null, config: ChainAccount | null): bigint | null {
  if (readCurveConfigKeys(config)?.quoteMint !== WRAPPED_SOL_MINT) return null;
  return readCurveAccrued(pool, config)?.creator ?? null;
}
