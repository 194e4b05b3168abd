import { DAMM_V2 } from '../../../chain/accounts/programs.ts';
import { migrationProgress } from '../../../chain/accounts/virtual-pool.ts';
import { isAddress } from '../../../shared/address.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { type FieldError, Problem } from '../../../shared/problem.ts';
import type { PoolSnapshot } from '../pool-snapshots.ts';
import { notTradable } from '../refusals.ts';

/** The accounts that every swap of the token writes. Throws `token_not_tradable` where no pool takes swaps. */
export function poolAccounts({ token, facts, curve, amm }: PoolSnapshot): readonly string[] {
  const { address, baseVault, quoteVault } = facts.curve;
  if (curve.migrationProgress === migrationProgress.bonding) return [address, baseVault, quoteVault];
  if (curve.migrationProgress !== migrationProgress.migrated) throw notTradable(token, 'migrating');
  if (amm === null || facts.amm?.ammProgram !== DAMM_V2) throw notTradable(token, 'amm_unsupported');
  return [facts.amm.ammPoolAddress, amm.keys.tokenAVault, amm.keys.tokenBVault];
}

/** The token or the accounts of a request. Throws `validation_failed` unless there is exactly one of them. */
export function requestedAccounts({
  mint,
  accounts,
}: {
  mint?: string;
  accounts?: string;
}): { mint: string } | { accounts: readonly string[] } {
  if (mint !== undefined && accounts !== undefined)
    throw refused('accounts', 'invalid_value', 'must not be given together with mint');
  if (mint !== undefined) return { mint };
  if (accounts === undefined) throw refused('mint', 'required', 'is required, unless accounts is given');
  const named = [...new Set(accounts.split(','))].sort();
  if (!named.every(isAddress))
    throw refused('accounts', 'invalid_format', 'must be base58 addresses of 32 bytes, separated by commas');
  const { pricedAccounts } = unpublishedLimits;
  if (named.length > pricedAccounts)
    throw refused('accounts', 'too_long', `must have at most ${pricedAccounts} addresses`);
  return { accounts: named };
}

function refused(field: string, code: FieldError['code'], message: string): Problem {
  return new Problem('validation_failed', { errors: [{ path: `/query/${field}`, code, message }] });
}
