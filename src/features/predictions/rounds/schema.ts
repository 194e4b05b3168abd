import { Type } from '@sinclair/typebox';
import { roundStatuses, voidReasons } from '../../../db/schema/predictions.ts';
import { paginationFields } from '../../../http/pagination.ts';
import { publishedLimits, unpublishedLimits } from '../../../shared/contract-limits.ts';
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

export const STANDINGS_MAX = unpublishedLimits.predictionStandings;

/** As of other lists, but without a limit a page is as long as the list was before there were pages. */
export const StandingsQuery = Type.Object({
  ...paginationFields,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: publishedLimits.pageLimitMax,
      description: `without it a page holds ${STANDINGS_MAX}`,
    }),
  ),
});

/** contract/predictions#standings: best first. */
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
      { maxItems: STANDINGS_MAX },
    ),
    page: Type.Object({ hasMore: Type.Boolean(), nextCursor: Nullable(Type.String()) }),
  },
  { $id: 'PredictionStandings', additionalProperties: false },
);
