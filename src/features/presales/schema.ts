import { Type } from '@sinclair/typebox';
import {
  AddressField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../http/fields.ts';

/** Presale status (spec 3.2, transitions D10). */
export const presaleStatuses = [
  'draft',
  'initializing',
  'active',
  'settling',
  'settled',
  'refunding',
  'failed',
] as const;

const BasisPoints = Type.Integer({ minimum: 0, maximum: 10_000, description: 'basis points: 100 are 1 %' });

/** Spec 2.7. */
export const PresaleSchema = Type.Object(
  {
    id: UuidField,
    mintAddress: AddressField,
    status: OneOf(presaleStatuses),
    allocationsBps: Type.Object({ burn: BasisPoints, pool: BasisPoints, sale: BasisPoints }),
    creatorCommitmentLamports: IntStringField,
    minCapLamports: IntStringField,
    maxCapLamports: IntStringField,
    perWalletCapLamports: IntStringField,
    totalDepositedLamports: IntStringField,
    participantCount: Type.Integer({ minimum: 0 }),
    publicStartAt: TimestampField,
    deadline: TimestampField,
    createdAt: TimestampField,
    updatedAt: TimestampField,
  },
  { additionalProperties: false },
);

export const PresalePath = Type.Object({ id: UuidField });

/** D9: what the key's wallet put in and got out. */
export const PresaleParticipationSchema = Type.Object(
  {
    presaleId: UuidField,
    walletAddress: AddressField,
    status: OneOf(['deposited', 'refunded', 'settled']),
    depositedLamports: IntStringField,
    refundedLamports: IntStringField,
    allocationRaw: Nullable(IntStringField),
    claimedRaw: IntStringField,
    createdAt: TimestampField,
    updatedAt: TimestampField,
  },
  { additionalProperties: false },
);
