import { readDammV1Pool } from '../../chain/accounts/damm-v1-pool.ts';
import { readDynamicVault, shareWorthRaw } from '../../chain/accounts/dynamic-vault.ts';
import { readMint } from '../../chain/accounts/mint.ts';
import { CLOCK_SYSVAR, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { readChainSeconds } from '../../chain/accounts/sysvars.ts';
import { readTokenBalance } from '../../chain/accounts/token-account.ts';
import type { ReadAccounts } from './inspect-pool.ts';

/** The addresses that hold the SOL of a DAMM v1 pool. They never change. */
export interface ShareAddresses {
  vault: string;
  /** Mint of the vault's shares. */
  lpMint: string;
  /** The pool's token account for shares of the vault. */
  shares: string;
}

/** Null when the accounts are not those of a pool against SOL. Throws the errors of `read`. */
export async function findShare(read: ReadAccounts, poolAddress: string): Promise<ShareAddresses | null> {
  const pool = readDammV1Pool((await read([poolAddress])).get(poolAddress) ?? null);
  if (pool === null) return null;
  const isA = pool.tokenAMint === WRAPPED_SOL_MINT;
  if (!isA && pool.tokenBMint !== WRAPPED_SOL_MINT) return null;
  const [vault, shares] = isA ? [pool.aVault, pool.aVaultLp] : [pool.bVault, pool.bVaultLp];
  const lpMint = readDynamicVault((await read([vault])).get(vault) ?? null)?.lpMint;
  return lpMint === undefined ? null : { vault, lpMint, shares };
}

/**
 * The worth in lamports of the pool's shares, in the slot of the accounts. Null when an account is not the
 * expected one. Throws the errors of `read`.
 */
export async function readShareLamports(
  read: ReadAccounts,
  { vault: vaultAddress, lpMint, shares: sharesAddress }: ShareAddresses,
): Promise<bigint | null> {
  const accounts = await read([vaultAddress, lpMint, sharesAddress, CLOCK_SYSVAR]);
  const account = (address: string) => accounts.get(address) ?? null;
  const vault = readDynamicVault(account(vaultAddress));
  const supply = readMint(account(lpMint))?.supplyRaw;
  const shares = readTokenBalance(account(sharesAddress), lpMint);
  const unixSeconds = readChainSeconds(account(CLOCK_SYSVAR));
  if (vault === null || vault.tokenMint !== WRAPPED_SOL_MINT || vault.lpMint !== lpMint) return null;
  if (supply === undefined || shares === null || unixSeconds === null) return null;
  return shareWorthRaw(vault, { shares, supply, unixSeconds });
}
