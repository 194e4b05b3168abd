import { Type } from '@sinclair/typebox';
import { predictionStatuses, roundStatuses } from '../../../db/schema/predictions.ts';
import {
  AddressField,
  DecimalStringField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../../shared/field-schemas.ts';
import { eligibilityReasons } from './eligibility.ts';

/** Created and owned predictions (contract/predictions#prediction). */
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
  { $id: 'Prediction', additionalProperties: false },
);

export const PredictionPath = Type.Object({ predictionId: UuidField });

/** contract/predictions#eligibility */
export const EligibilitySchema = Type.Object(
  {
    roundId: UuidField,
    walletAddress: AddressField,
    eligible: Type.Boolean(),
    reasons: Type.Array(OneOf(eligibilityReasons)),
    roundStatus: OneOf(roundStatuses),
    balanceRaw: IntStringField,
    minimumBalanceRaw: IntStringField,
    evaluationSlot: IntStringField,
    evaluatedAt: TimestampField,
    locksAt: TimestampField,
  },
  { $id: 'PredictionEligibility', additionalProperties: false },
);

/** A well-formed price out of range is judged by the service (contract/predictions#price-range). */
export const NewPredictionBody = Type.Object(
  { roundId: UuidField, walletAddress: AddressField, predictedPriceInSol: DecimalStringField },
  { additionalProperties: false },
);
