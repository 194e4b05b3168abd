import { Type } from '@sinclair/typebox';
import { AddressField, IntStringField, OneOf, TimestampField, UuidField } from '../../http/fields.ts';

/** Who shares the fees of a token (D9). */
export const feeRoles = ['creator', 'platform', 'stakers'] as const;

/** D9. */
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
  { additionalProperties: false },
);
