import { WRAPPED_SOL_MINT } from '../../../chain/accounts/programs.ts';
import type { Claim } from '../../../chain/pools/claims/claim.ts';
import type { PreparedClaim } from '../../../db/values/fees.ts';
import type { FeeClaims } from './schema.ts';

type ShownClaim = FeeClaims['remaining'][number];

/** A claim as responses show it, and as it is stored with its intent. */
export function toPreparedClaim(claim: Claim): ShownClaim & PreparedClaim {
  return {
    kind: claim.kind,
    mintAddress: claim.mint,
    poolAddress: claim.pool,
    positionAddress: claim.kind === 'position_fee' ? claim.position : null,
    quoteMint: claim.quote.mint,
    quoteRaw: String(claim.quote.amountRaw),
    baseRaw: String(claim.base.amountRaw),
  };
}

/** What claims pay in SOL, in lamports. */
export function lamportsOf(claims: readonly Claim[]): bigint {
  return claims.reduce((sum, { quote }) => sum + solOf(quote), 0n);
}

function solOf({ mint, amountRaw }: Claim['quote']): bigint {
  return mint === WRAPPED_SOL_MINT ? amountRaw : 0n;
}
