import { Type } from '@sinclair/typebox';
import {
  AddressField,
  DecimalStringField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../http/fields.ts';

/** Prediction round status (spec 3.3, transitions D10). */
export const roundStatuses = ['scheduled', 'open', 'locked', 'settling', 'settled', 'voided'] as const;

export const predictionStatuses = ['accepted', 'settled', 'voided'] as const;

/** D9. */
export const PredictionRoundSchema = Type.Object(
  {
    id: UuidField,
    mintAddress: AddressField,
    status: OneOf(roundStatuses),
    minimumBalanceRaw: IntStringField,
    prizePoolLamports: IntStringField,
    requiresDelegatedIntent: Type.Boolean(),
    opensAt: TimestampField,
    locksAt: TimestampField,
    settlesAt: TimestampField,
    lockedAt: Nullable(TimestampField),
    settledAt: Nullable(TimestampField),
    settlementPriceInSol: Nullable(DecimalStringField),
    participantCount: Type.Integer({ minimum: 0 }),
    createdAt: TimestampField,
    updatedAt: TimestampField,
  },
  { additionalProperties: false },
);

/** Created and owned predictions (D9). */
export const PredictionSchema = Type.Object(
  {
    id: UuidField,
    roundId: UuidField,
    mintAddress: AddressField,
    walletAddress: AddressField,
    predictedPriceInSol: DecimalStringField,
    status: OneOf(predictionStatuses),
    evaluationSlot: IntStringField,
    balanceRaw: IntStringField,
    submittedAt: TimestampField,
    rank: Nullable(Type.Integer({ minimum: 1 })),
    distancePpm: Nullable(IntStringField),
    payoutLamports: Nullable(IntStringField),
  },
  { additionalProperties: false },
);
