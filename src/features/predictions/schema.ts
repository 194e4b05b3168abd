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

export const MintPath = Type.Object({ mint: AddressField });
export const RoundPath = Type.Object({ mint: AddressField, roundId: UuidField });
export const PredictionPath = Type.Object({ predictionId: UuidField });

/** Why a wallet may not predict (spec 2.8). */
const eligibilityReasons = [
  'username_required',
  'wallet_not_verified',
  'insufficient_balance',
  'round_not_open',
  'token_not_enabled',
] as const;

/** Spec 2.8. */
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
  { additionalProperties: false },
);

/** Spec 2.9: an aggregate before the durable lock, exact entries after it (D9). */
export const RoundPredictionsSchema = Type.Union([
  Type.Object(
    { visibility: Type.Literal('aggregate'), participantCount: Type.Integer({ minimum: 0 }) },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      visibility: Type.Literal('exact'),
      participantCount: Type.Integer({ minimum: 0 }),
      data: Type.Array(
        Type.Object(
          {
            id: UuidField,
            walletAddress: AddressField,
            username: Type.String(),
            predictedPriceInSol: DecimalStringField,
            submittedAt: TimestampField,
          },
          { additionalProperties: false },
        ),
      ),
      page: Type.Object({ hasMore: Type.Boolean(), nextCursor: Nullable(Type.String()) }),
    },
    { additionalProperties: false },
  ),
]);

/** Spec 2.10: at most 500, best first. */
export const StandingsSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: UuidField,
          rank: Type.Integer({ minimum: 1 }),
          walletAddress: AddressField,
          username: Type.String(),
          predictedPriceInSol: DecimalStringField,
          distancePpm: IntStringField,
          submittedAt: TimestampField,
          payoutLamports: Type.Optional(IntStringField),
        },
        { additionalProperties: false },
      ),
      { maxItems: 500 },
    ),
  },
  { additionalProperties: false },
);

/** Spec 2.11; a well-formed price out of range is `prediction_price_out_of_range`, judged by the service (D9). */
export const NewPredictionBody = Type.Object(
  { roundId: UuidField, walletAddress: AddressField, predictedPriceInSol: DecimalStringField },
  { additionalProperties: false },
);
