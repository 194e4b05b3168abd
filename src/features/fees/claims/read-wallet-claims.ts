import type { Claim } from '../../../chain/pools/claims/claim.ts';
import type { UnreadPart } from '../../../chain/pools/claims/claim-reader.ts';
import type { WalletClaims } from '../claimable/wallet-claims.ts';

/** What a wallet can claim from the tokens that were looked at. */
export interface ClaimsReading {
  claims: Claim[];
  /** Tokens of which a part could not be read. */
  unread: { mintAddress: string; parts: UnreadPart[] }[];
  /** The last token that was looked at; null when there are no more. */
  nextMint: string | null;
}

const TOKENS_PER_PAGE = 100;
/** A wallet of 10,000 tokens gets what is in the first pages that hold enough, and the next request goes on. */
const PAGES_MAX = 5;
/** More than a request can claim, even where claims of a token share a transaction. */
const CLAIMS_ENOUGH = 60;

/**
 * Reads the claims of a wallet from these tokens, or from its tokens in the order of their mints, until there
 * are enough or the bound is reached. Throws ClaimsUnavailable when no node responds.
 *
 * @param isAskedFor what is kept
 */
export async function readWalletClaims(
  walletClaims: Pick<WalletClaims, 'page'>,
  wallet: string,
  { mints, afterMint }: { mints: readonly string[] | null; afterMint: string | null },
  isAskedFor: (claim: Claim) => boolean,
): Promise<ClaimsReading> {
  const reading: ClaimsReading = { claims: [], unread: [], nextMint: afterMint };
  for (let pages = 0; pages < PAGES_MAX && reading.claims.length < CLAIMS_ENOUGH; pages += 1) {
    const { items, next } = await walletClaims.page(wallet, {
      limit: TOKENS_PER_PAGE,
      mints: mints ?? undefined,
      after: reading.nextMint === null ? undefined : [reading.nextMint],
    });
    reading.claims.push(...items.flatMap(({ claims }) => claims.filter(isAskedFor)));
    for (const { mintAddress, unread: parts } of items)
      if (parts.length > 0) reading.unread.push({ mintAddress, parts });
    reading.nextMint = next?.[0] ?? null;
    if (reading.nextMint === null) break;
  }
  return reading;
}
