import { Type } from '@sinclair/typebox';
import { feeRoles } from '../../db/schema/fees.ts';
import {
  AddressField,
  IntStringField,
  OneOf,
  TimestampField,
  UuidField,
} from '../../shared/field-schemas.ts';

/** contract/staking-fees#fee-distribution */
export const FeeDistributionSchema = Type.Object(
  {
    id: UuidField,
    mintAddress: AddressField,
    recipientWallet: AddressField,
    role: OneOf(feeRoles),
    amountLamports: IntStringField,
    transactionSignature: Type.String(),
    slot: IntStringField,
    distributedAt: TimestampField,
  },
  { $id: 'FeeDistribution', additionalProperties: false },
);

const ShareBps = Type.Integer({ minimum: 0, maximum: 10_000 });

/** contract/staking-fees#fee-state */
export const FeeStateSchema = Type.Object(
  {
    mintAddress: AddressField,
    feeBps: Type.Object({ creator: ShareBps, platform: ShareBps, stakers: ShareBps }),
    accruedLamports: IntStringField,
    distributedLamports: IntStringField,
    claimableLamports: IntStringField,
    slot: IntStringField,
    asOf: TimestampField,
  },
  { $id: 'FeeState', additionalProperties: false },
);

export const MintPath = Type.Object({ mint: AddressField });
