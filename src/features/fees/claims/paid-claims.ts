import { type ClaimKind, claimKinds } from '../../../chain/pools/claims/claim.ts';
import type { PreparedClaim } from '../../../db/values/fees.ts';
import type { FeesClaimed } from './schema.ts';

/** A payment in a transaction, as the indexer found it. */
export interface FoundPayment {
  kind: string;
  poolAddress: string;
  positionAddress: string | null;
  amountLamports: string;
}

/** What the indexer calls the kinds (contract/ingest); both parties share one for the migration fee. */
const indexedKinds: Readonly<Record<ClaimKind, string>> = {
  creator_trading_fee: 'curveCreatorFee',
  partner_trading_fee: 'curvePartnerFee',
  creator_surplus: 'curveCreatorSurplus',
  partner_surplus: 'curvePartnerSurplus',
  creator_migration_fee: 'curveMigrationFee',
  partner_migration_fee: 'curveMigrationFee',
  leftover: 'curveLeftover',
  position_fee: 'positionFee',
};

/** Gives each claim its payment, in their order; null where none was found. */
export function paidClaims(
  claims: readonly PreparedClaim[],
  payments: readonly FoundPayment[],
): FeesClaimed['claims'] {
  const open = [...payments];
  return claims.map((claim) => {
    const at = open.findIndex(
      ({ kind, poolAddress, positionAddress }) =>
        kind === indexedKinds[knownKind(claim.kind)] &&
        poolAddress === claim.poolAddress &&
        positionAddress === claim.positionAddress,
    );
    const [payment] = at < 0 ? [] : open.splice(at, 1);
    const { kind, mintAddress, poolAddress, positionAddress, quoteMint } = claim;
    return {
      kind: knownKind(kind),
      mintAddress,
      poolAddress,
      positionAddress,
      quoteMint,
      paidLamports: payment?.amountLamports ?? null,
    };
  });
}

/** Throws for a kind that was never stored. */
function knownKind(kind: string): ClaimKind {
  const known = claimKinds.find((one) => one === kind);
  if (known === undefined) throw new Error(`a claim of the kind ${kind} was stored`);
  return known;
}
