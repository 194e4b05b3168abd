import { Type } from '@sinclair/typebox';
import { participationStatuses, presaleStatuses } from '../../db/schema/presales.ts';
import {
  AddressField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../shared/field-schemas.ts';

const BasisPoints = Type.Integer({ minimum: 0, maximum: 10_000, description: 'basis points: 100 are 1 %' });

/** contract/presales#presale */
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
  { $id: 'Presale', additionalProperties: false },
);

export const PresalePath = Type.Object({ id: UuidField });

/** What the key's wallet put in and got out (contract/presales#participation). */
export const PresaleParticipationSchema = Type.Object(
  {
    presaleId: UuidField,
    walletAddress: AddressField,
    status: OneOf(participationStatuses),
    depositedLamports: IntStringField,
    refundedLamports: IntStringField,
    allocationRaw: Nullable(IntStringField),
    claimedRaw: IntStringField,
    createdAt: TimestampField,
    updatedAt: TimestampField,
  },
  { $id: 'PresaleParticipation', additionalProperties: false },
);
