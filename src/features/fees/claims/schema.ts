import { type Static, Type } from '@sinclair/typebox';
import { claimKinds } from '../../../chain/pools/claims/claim.ts';
import { unreadParts } from '../../../chain/pools/claims/claim-reader.ts';
import { TransactionIntentSchema } from '../../../intents/schema.ts';
import { SendingSchema, sendingFields } from '../../../intents/sending-schema.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import {
  AddressField,
  Closed,
  described,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  SlotField,
  UuidField,
} from '../../../shared/field-schemas.ts';

const KindField = described('What is claimed, by the instruction that pays it.', OneOf(claimKinds));

const claimFields = {
  kind: KindField,
  mintAddress: MintAddressField,
  poolAddress: described('The pool that pays: of the curve, or for a position of the AMM.', AddressField),
  positionAddress: described('The position; null for a claim on the curve.', Nullable(AddressField)),
  quoteMint: described('The token that the pool trades against, mostly wrapped SOL.', AddressField),
};

/** contract/fee-claims#prepared */
export const PreparedClaimSchema = described(
  'A claim, and what it pays as things are.',
  Named('PreparedFeeClaim', {
    ...claimFields,
    quoteRaw: described('What it pays in `quoteMint`, raw units; lamports for wrapped SOL.', IntStringField),
    baseRaw: described('What it pays in the token, raw units.', IntStringField),
  }),
);

const ProgramErrorSchema = Type.Object({
  program: described('The program that refused.', AddressField),
  number: described('Its error number.', Type.Integer()),
  name: described('The name of the error; null for an unknown one.', Nullable(Type.String())),
});

const leftOutReasons = ['simulation_failed', 'transfer_hook'] as const;

/** contract/fee-claims#left-out */
const LeftOutSchema = Type.Object({
  claim: PreparedClaimSchema,
  reason: described(
    'Why no intent makes it: the chain would refuse it, or its token calls a program at each transfer.',
    OneOf(leftOutReasons),
  ),
  programError: described(
    'The error of the simulation; null where a program gave no number.',
    Nullable(ProgramErrorSchema),
  ),
});

const ClaimIntentSchema = Type.Object({
  claims: described('What the transaction claims.', Type.Array(PreparedClaimSchema)),
  claimedLamports: described('What these claims pay in SOL, in lamports.', IntStringField),
  networkFeeLamports: described('Fee of the network, priority included.', IntStringField),
  rentLamports: described(
    'Rent of token accounts that the transaction opens for tokens that it pays, and that stay open.',
    IntStringField,
  ),
  sending: SendingSchema,
  intent: TransactionIntentSchema,
});

/** contract/fee-claims#prepared */
export const FeeClaimsSchema = Named('FeeClaims', {
  walletAddress: described('The pinned wallet of the key: it is paid, and signs.', AddressField),
  claimedLamports: described('What all intents together pay in SOL, in lamports.', IntStringField),
  slot: described('The oldest slot at which these claims were read.', SlotField),
  intents: described(
    'As few transactions as hold the claims, each to sign and submit.',
    Type.Array(ClaimIntentSchema),
  ),
  leftOut: described('Claims that no intent makes, with the reason.', Type.Array(LeftOutSchema)),
  remaining: described(
    'Claims beyond the most intents of a request: another request with their `mints` makes them.',
    Type.Array(PreparedClaimSchema),
  ),
  unread: described(
    'Tokens of which a part could not be read: nothing is known of what it would pay.',
    Type.Array(
      Type.Object({
        mintAddress: MintAddressField,
        parts: described('The parts that could not be read.', Type.Array(OneOf(unreadParts))),
      }),
    ),
  ),
  nextMint: described(
    'The last token that was looked at, for `afterMint` of a request that goes on; null when there are no more.',
    Nullable(AddressField),
  ),
});
export type FeeClaims = Static<typeof FeeClaimsSchema>;

/** contract/fee-claims#request */
export const NewFeeClaimsBody = Closed({
  mints: Type.Optional(
    described(
      'Tokens to claim from; all tokens that may pay the wallet without it, in the order of their mints.',
      Type.Array(AddressField, {
        minItems: 1,
        maxItems: unpublishedLimits.feeClaimMints,
        uniqueItems: true,
      }),
    ),
  ),
  afterMint: Type.Optional(
    described('Goes on after this token: `nextMint` of an earlier response.', AddressField),
  ),
  kinds: Type.Optional(
    described(
      'Kinds to claim; all of them without it.',
      Type.Array(OneOf(claimKinds), { minItems: 1, maxItems: claimKinds.length, uniqueItems: true }),
    ),
  ),
  minimumLamports: Type.Optional(
    described(
      'Leaves out each claim that pays less in SOL; a claim that pays only tokens pays 0.',
      Type.String({ pattern: '^(0|[1-9][0-9]{0,19})$', examples: ['100000'] }),
    ),
  ),
  ...sendingFields,
});

/** contract/fee-claims#event */
export const FeesClaimedSchema = Named('FeesClaimed', {
  intentId: described('The intent that claimed.', UuidField),
  walletAddress: described('The wallet that was paid.', AddressField),
  transactionSignature: described('Signature of the transaction that landed.', Type.String()),
  claimedLamports: described(
    'What the payments found in the transaction paid in SOL, in lamports.',
    IntStringField,
  ),
  claims: described(
    'The claims of the intent.',
    Type.Array(
      Type.Object({
        ...claimFields,
        paidLamports: described(
          'What the transaction paid for it, in lamports; null for a claim that pays no SOL, and where its payment was not found on chain yet.',
          Nullable(IntStringField),
        ),
      }),
    ),
  ),
});
export type FeesClaimed = Static<typeof FeesClaimedSchema>;
