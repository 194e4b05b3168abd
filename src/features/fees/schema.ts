import { type Static, Type } from '@sinclair/typebox';
import { feeRoles } from '../../db/values/fees.ts';
import {
  AddressField,
  AsOfField,
  described,
  IdField,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  SlotField,
  TimestampField,
  UuidField,
} from '../../shared/field-schemas.ts';

/** contract/staking-fees#fee-distribution */
export const FeeDistributionSchema = Named('FeeDistribution', {
  id: IdField,
  mintAddress: MintAddressField,
  recipientWallet: described('Wallet that was paid.', AddressField),
  role: described('Recipient of the share: creator, platform or stakers.', OneOf(feeRoles)),
  amountLamports: described('Lamports that were paid.', IntStringField),
  transactionSignature: described('Signature of the transaction that paid.', Type.String()),
  slot: SlotField,
  distributedAt: described('When it was paid.', TimestampField),
});
export type FeeDistribution = Static<typeof FeeDistributionSchema>;

/** contract/staking-fees#fee-distribution */
export const ListedFeeDistributionSchema = Named('ListedFeeDistribution', {
  ...FeeDistributionSchema.properties,
  intentId: described(
    'The intent of `createFeeClaims` whose transaction paid it; null for any other payment, and for intents of other accounts.',
    Nullable(UuidField),
  ),
});
export type ListedFeeDistribution = Static<typeof ListedFeeDistributionSchema>;

const ShareBps = Type.Integer({ minimum: 0, maximum: 10_000 });

/** contract/staking-fees#fee-state */
export const FeeStateSchema = Named('FeeState', {
  mintAddress: MintAddressField,
  feeBps: described(
    'How fees are divided, in basis points.',
    Type.Object({
      creator: described('Share of the creator, in basis points.', ShareBps),
      platform: described('Share of the platform, in basis points.', ShareBps),
      stakers: described('Share of the stakers, in basis points.', ShareBps),
    }),
  ),
  accruedLamports: described('Fees that the pools of the token have earned.', IntStringField),
  distributedLamports: described('Fees that were paid out.', IntStringField),
  claimableLamports: described('Amount that the wallet of the key can claim.', IntStringField),
  slot: SlotField,
  asOf: AsOfField,
});
export type FeeState = Static<typeof FeeStateSchema>;
