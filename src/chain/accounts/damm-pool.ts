import { readDammPoolKeys, readDammPoolState } from '../pools/damm/pool-account.ts';
import type { ChainAccount } from './account-data.ts';

/** State of a DAMM v2 pool, seen from one of its two tokens. */
export interface DammPool {
  /** The pool's vault for the token. */
  vault: string;
  /** Protocol fee in the token that nobody has claimed yet. It is part of the vault's balance. */
  protocolFeeRaw: bigint;
  /** All liquidity of the pool, and the part that can never be withdrawn, in the program's own unit. */
  liquidity: bigint;
  permanentlyLockedLiquidity: bigint;
  positionCount: number;
}

/** The pool in an account, seen from `mintAddress`. Null when it is no pool, or a pool of other tokens. */
export function readDammPool(account: ChainAccount | null, mintAddress: string): DammPool | null {
  const pool = readDammPoolState(account);
  const keys = readDammPoolKeys(account);
  if (pool === null || keys === null) return null;
  const isA = keys.tokenAMint === mintAddress;
  if (!isA && keys.tokenBMint !== mintAddress) return null;
  return {
    vault: isA ? keys.tokenAVault : keys.tokenBVault,
    protocolFeeRaw: isA ? pool.protocolAFee : pool.protocolBFee,
    liquidity: pool.liquidity,
    permanentlyLockedLiquidity: pool.permanentLockLiquidity,
    positionCount: Number(pool.totalPosition),
  };
}
