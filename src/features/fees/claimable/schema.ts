import { type Static, Type } from '@sinclair/typebox';
import { type Claim, claimKinds } from '../../../chain/pools/claims/claim.ts';
import { unreadParts } from '../../../chain/pools/claims/claim-reader.ts';
import { PageOf, paginationFields } from '../../../http/lists/pages.ts';
import { publishedLimits, unpublishedLimits } from '../../../shared/contract-limits.ts';
import {
  AddressField,
  AsOfField,
  Closed,
  described,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  SlotField,
} from '../../../shared/field-schemas.ts';
import { MINTS_LENGTH_MAX } from '../../../shared/requested-mints.ts';

export const ClaimsQuerySchema = Type.Object({
  mints: Type.Optional(
    Type.String({
      maxLength: MINTS_LENGTH_MAX,
      description: `Only these tokens: up to ${unpublishedLimits.listedMints} mint addresses, separated by commas.`,
    }),
  ),
  ...paginationFields,
  limit: Type.Integer({
    minimum: 1,
    maximum: publishedLimits.pageLimitMax,
    default: publishedLimits.pageLimitDefault,
    description: 'Maximum number of tokens whose claims one page covers.',
  }),
});

/** contract/claims#kinds */
export const ClaimSchema = Named('Claim', {
  kind: described('Kind of the claim: what is paid, and which instruction pays it.', OneOf(claimKinds)),
  poolAddress: described(
    'The pool that pays: the bonding curve, or the AMM pool of the position.',
    AddressField,
  ),
  positionAddress: described(
    'The position that earned the fees; null for a claim on the curve.',
    Nullable(AddressField),
  ),
  quoteMint: described('The token that the pool trades against, mostly wrapped SOL.', AddressField),
  quoteRaw: described('Amount in base units of `quoteMint`: lamports for SOL.', IntStringField),
  baseRaw: described('Amount in base units of the token itself.', IntStringField),
  slot: SlotField,
});

/** contract/claims#list */
export const ClaimableFeesSchema = Named('ClaimableFees', {
  mintAddress: MintAddressField,
  name: described('Name of the token.', Type.String()),
  symbol: described('Ticker of the token.', Type.String()),
  decimals: described('Decimal places of `baseRaw`.', Type.Integer({ minimum: 0, maximum: 18 })),
  lamports: described('Total lamports of the claims below that pay SOL.', IntStringField),
  baseRaw: described('Total base units of the token in the claims below.', IntStringField),
  claims: described(
    'The claims: one for each instruction that pays something. Amounts are never 0.',
    Type.Array(ClaimSchema),
  ),
  unread: described(
    'Parts that could not be read. What they would pay is unknown.',
    Type.Array(OneOf(unreadParts)),
  ),
});
export type ClaimableFees = Static<typeof ClaimableFeesSchema>;

export const ClaimableFeesPageSchema = Closed({
  asOf: AsOfField,
  positionsComplete: described(
    'False for a wallet that holds too many NFTs to read them all. Positions that were not created by a migration may then be missing.',
    Type.Boolean(),
  ),
  ...PageOf(ClaimableFeesSchema).properties,
});
export type ClaimableFeesPage = Static<typeof ClaimableFeesPageSchema>;

/** The public record of a claim. */
export function toPublicClaim(claim: Claim): ClaimableFees['claims'][number] {
  return {
    kind: claim.kind,
    poolAddress: claim.pool,
    positionAddress: claim.kind === 'position_fee' ? claim.position : null,
    quoteMint: claim.quote.mint,
    quoteRaw: String(claim.quote.amountRaw),
    baseRaw: String(claim.base.amountRaw),
    slot: String(claim.slot),
  };
}
