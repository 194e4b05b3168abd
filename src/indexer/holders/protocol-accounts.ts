import { dammV1VaultAddress, vestingEscrowAddresses } from '../../chain/accounts/derived-addresses.ts';
import { CURVE_POOL_AUTHORITY, DAMM_V2_POOL_AUTHORITY } from '../../chain/accounts/programs.ts';

/** Owners that never count as holders: each owns the vaults of all pools of its program. */
export const poolAuthorities: readonly string[] = [CURVE_POOL_AUTHORITY, DAMM_V2_POOL_AUTHORITY];

export interface ProtocolToken {
  mintAddress: string;
  tokenProgram: string;
  poolAddress: string | null;
  /** The staking and tokenomics vaults that were reported with the token. */
  vaults: readonly string[];
}

/**
 * Owners and token accounts that do not count as holders of this token
 * (contract/market-data#protocol-accounts).
 */
export async function protocolAccountsOf(token: ProtocolToken): Promise<string[]> {
  const vault = await dammV1VaultAddress(token.mintAddress);
  const accounts = [...poolAuthorities, vault, ...token.vaults];
  if (token.poolAddress === null) return accounts;
  const { escrow, escrowToken } = await vestingEscrowAddresses(
    token.poolAddress,
    token.mintAddress,
    token.tokenProgram,
  );
  return [...accounts, escrow, escrowToken];
}
