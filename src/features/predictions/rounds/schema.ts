import { Type } from '@sinclair/typebox';
import { roundStatuses, voidReasons } from '../../../db/schema/predictions.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import {
  AddressField,
  DecimalStringField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../../shared/field-schemas.ts';

/** contract/predictions#round */
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
    voidReason: Nullable(OneOf(voidReasons)),
    participantCount: Type.Integer({ minimum: 0 }),
    createdAt: TimestampField,
    updatedAt: TimestampField,
  },
  { $id: 'PredictionRound', additionalProperties: false },
);

/** Where the rounds of a token are read. */
export const ROUNDS_PATH = '/tokens/:mint/prediction-rounds';
export const MintPath = Type.Object({ mint: AddressField });
export const RoundPath = Type.Object({ mint: AddressField, roundId: UuidField });

/** An aggregate before the durable lock, exact entries after it (contract/predictions#round-predictions). */
export const RoundPredictionsSchema = Type.Union(
  [
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
  ],
  { $id: 'RoundPredictions' },
);

/** contract/predictions#standings: at most 500, best first. */
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
      { maxItems: unpublishedLimits.predictionStandings },
    ),
  },
  { $id: 'PredictionStandings', additionalProperties: false },
);
