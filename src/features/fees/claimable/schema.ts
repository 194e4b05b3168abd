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
    description: 'Tokens that one page looks at.',
  }),
});

/** contract/claims#kinds */
export const ClaimSchema = Named('Claim', {
  kind: described('What is paid, and by which instruction.', OneOf(claimKinds)),
  poolAddress: described('The pool that pays: the curve, or the AMM pool of a position.', AddressField),
  positionAddress: described('The position that earned it; null on the curve.', Nullable(AddressField)),
  quoteMint: described('The token that the pool trades against, mostly wrapped SOL.', AddressField),
  quoteRaw: described('Base units of it: lamports for SOL.', IntStringField),
  baseRaw: described('Base units of the token itself.', IntStringField),
  slot: SlotField,
});

/** contract/claims#list */
export const ClaimableFeesSchema = Named('ClaimableFees', {
  mintAddress: MintAddressField,
  name: described('Name of the token.', Type.String()),
  symbol: described('Ticker of the token.', Type.String()),
  decimals: described('Decimal places of `baseRaw`.', Type.Integer({ minimum: 0, maximum: 18 })),
  lamports: described('Lamports of all claims below that pay SOL.', IntStringField),
  baseRaw: described('Base units of the token in all claims below.', IntStringField),
  claims: described('Each amount that one instruction pays out, never 0.', Type.Array(ClaimSchema)),
  unread: described(
    'Parts that could not be read: nothing is known of what they would pay.',
    Type.Array(OneOf(unreadParts)),
  ),
});
export type ClaimableFees = Static<typeof ClaimableFeesSchema>;

export const ClaimableFeesPageSchema = Closed({
  asOf: AsOfField,
  positionsComplete: described(
    'False for a wallet with too many NFTs to look at all: positions that no migration made may be missing.',
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
