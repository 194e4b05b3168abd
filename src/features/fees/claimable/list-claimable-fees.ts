import { WRAPPED_SOL_MINT } from '../../../chain/accounts/programs.ts';
import type { Claim } from '../../../chain/pools/claims/claim.ts';
import { ClaimsUnavailable } from '../../../chain/pools/claims/claim-reader.ts';
import type { KeysetPage } from '../../../db/keyset-page.ts';
import { Problem } from '../../../shared/problem.ts';
import type { MintPosition } from './list-claim-tokens.ts';
import { type ClaimableFees, toPublicClaim } from './schema.ts';
import type { ClaimableToken, ClaimsQuery, WalletClaims } from './wallet-claims.ts';

/** Lists what a wallet can claim, by token. Throws `chain_unavailable`. */
export async function listClaimableFees(
  walletClaims: WalletClaims,
  wallet: string,
  query: ClaimsQuery,
): Promise<KeysetPage<ClaimableFees, MintPosition> & { arePositionsComplete: boolean }> {
  const page = await walletClaims.page(wallet, query).catch(refuseUnavailable);
  return { ...page, items: page.items.map(toClaimableFees) };
}

function toClaimableFees(token: ClaimableToken): ClaimableFees {
  const { mintAddress, name, symbol, decimals, claims, unread } = token;
  const inSol = claims.filter(({ quote }) => quote.mint === WRAPPED_SOL_MINT);
  return {
    mintAddress,
    name,
    symbol,
    decimals,
    lamports: sum(inSol, ({ quote }) => quote.amountRaw),
    baseRaw: sum(claims, ({ base }) => base.amountRaw),
    claims: claims.map(toPublicClaim),
    unread,
  };
}

function sum(claims: readonly Claim[], amountOf: (claim: Claim) => bigint): string {
  return String(claims.reduce((total, claim) => total + amountOf(claim), 0n));
}

function refuseUnavailable(error: unknown): never {
  if (error instanceof ClaimsUnavailable) throw new Problem('chain_unavailable', { cause: error });
  throw error;
}
