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

const KindField = described(
  'Kind of the claim: what is claimed, and which instruction pays it.',
  OneOf(claimKinds),
);

const claimFields = {
  kind: KindField,
  mintAddress: MintAddressField,
  poolAddress: described(
    'The pool that pays: the bonding curve, or the AMM pool of the position.',
    AddressField,
  ),
  positionAddress: described('The position; null for a claim on the curve.', Nullable(AddressField)),
  quoteMint: described('The token that the pool trades against, mostly wrapped SOL.', AddressField),
};

/** contract/fee-claims#prepared */
export const PreparedClaimSchema = described(
  'A claim and the amounts that it pays at present.',
  Named('PreparedFeeClaim', {
    ...claimFields,
    quoteRaw: described(
      'Amount that it pays in `quoteMint`, in raw units: lamports for wrapped SOL.',
      IntStringField,
    ),
    baseRaw: described('Amount that it pays in the token, in raw units.', IntStringField),
  }),
);

const ProgramErrorSchema = Type.Object({
  program: described('The program that refused the claim.', AddressField),
  number: described('Number of the program’s error.', Type.Integer()),
  name: described('Name of the error; null if it is unknown.', Nullable(Type.String())),
});

const leftOutReasons = ['simulation_failed', 'transfer_hook'] as const;

/** contract/fee-claims#left-out */
const LeftOutSchema = Type.Object({
  claim: PreparedClaimSchema,
  reason: described(
    'Why no intent includes the claim: the chain would refuse it, or its token calls a program at each transfer.',
    OneOf(leftOutReasons),
  ),
  programError: described(
    'The error of the simulation; null if the program gave no error number.',
    Nullable(ProgramErrorSchema),
  ),
});

const ClaimIntentSchema = Type.Object({
  claims: described('The claims of the transaction.', Type.Array(PreparedClaimSchema)),
  claimedLamports: described('SOL that these claims pay, in lamports.', IntStringField),
  networkFeeLamports: described('Network fee, including the priority fee.', IntStringField),
  rentLamports: described(
    'Rent of the token accounts that the transaction opens to pay tokens into. They stay open.',
    IntStringField,
  ),
  sending: SendingSchema,
  intent: TransactionIntentSchema,
});

/** contract/fee-claims#prepared */
export const FeeClaimsSchema = Named('FeeClaims', {
  walletAddress: described('The pinned wallet of the key. It signs and gets the payments.', AddressField),
  claimedLamports: described('SOL that all intents together pay, in lamports.', IntStringField),
  slot: described('The oldest of the slots at which these claims were read.', SlotField),
  intents: described(
    'The transactions to sign and submit, as few as hold all claims.',
    Type.Array(ClaimIntentSchema),
  ),
  leftOut: described('Claims that no intent includes, each with the reason.', Type.Array(LeftOutSchema)),
  remaining: described(
    'Claims that exceed the maximum number of intents of one request. Send another request with their `mints`.',
    Type.Array(PreparedClaimSchema),
  ),
  unread: described(
    'Tokens of which some parts could not be read. What those would pay is unknown.',
    Type.Array(
      Type.Object({
        mintAddress: MintAddressField,
        parts: described('The parts that could not be read.', Type.Array(OneOf(unreadParts))),
      }),
    ),
  ),
  nextMint: described(
    'The last token that was read: send it as `afterMint` to continue. Null if there are no more tokens.',
    Nullable(AddressField),
  ),
});
export type FeeClaims = Static<typeof FeeClaimsSchema>;

/** contract/fee-claims#request */
export const NewFeeClaimsBody = Closed({
  mints: Type.Optional(
    described(
      'Tokens to claim from. Default: all tokens that may pay the wallet, in the order of their mints.',
      Type.Array(AddressField, {
        minItems: 1,
        maxItems: unpublishedLimits.feeClaimMints,
        uniqueItems: true,
      }),
    ),
  ),
  afterMint: Type.Optional(
    described('Continues after this token: the `nextMint` of an earlier response.', AddressField),
  ),
  kinds: Type.Optional(
    described(
      'Kinds of claims to include. Default: all kinds.',
      Type.Array(OneOf(claimKinds), { minItems: 1, maxItems: claimKinds.length, uniqueItems: true }),
    ),
  ),
  minimumLamports: Type.Optional(
    described(
      'Claims that pay less SOL than this are left out. A claim that pays only tokens counts as 0.',
      Type.String({ pattern: '^(0|[1-9][0-9]{0,19})$', examples: ['100000'] }),
    ),
  ),
  ...sendingFields,
});

/** contract/fee-claims#event */
export const FeesClaimedSchema = Named('FeesClaimed', {
  intentId: described('The intent whose transaction made the claims.', UuidField),
  walletAddress: described('The wallet that was paid.', AddressField),
  transactionSignature: described('Signature of the transaction that landed.', Type.String()),
  claimedLamports: described(
    'SOL that the transaction paid, in lamports, as far as its payments were found.',
    IntStringField,
  ),
  claims: described(
    'The claims of the intent.',
    Type.Array(
      Type.Object({
        ...claimFields,
        paidLamports: described(
          'What the transaction paid for the claim, in lamports; null for a claim that pays no SOL, and while its payment has not been found on chain.',
          Nullable(IntStringField),
        ),
      }),
    ),
  ),
});
export type FeesClaimed = Static<typeof FeesClaimedSchema>;
