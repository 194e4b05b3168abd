import { Type } from '@sinclair/typebox';
import { roundStatuses, voidReasons } from '../../../db/schema/predictions.ts';
import { paginationFields } from '../../../http/pagination.ts';
import { publishedLimits, unpublishedLimits } from '../../../shared/contract-limits.ts';
import {
  AddressField,
  Closed,
  CountField,
  CreatedAtField,
  DecimalStringField,
  described,
  IdField,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  TimestampField,
  UpdatedAtField,
  UuidField,
  WalletAddressField,
} from '../../../shared/field-schemas.ts';

/** contract/predictions#round */
export const PredictionRoundSchema = Named('PredictionRound', {
  id: IdField,
  mintAddress: MintAddressField,
  status: described('State of the record.', OneOf(roundStatuses)),
  minimumBalanceRaw: described('Base units that a wallet must hold.', IntStringField),
  prizePoolLamports: described('What the best predictions share.', IntStringField),
  requiresDelegatedIntent: described(
    'The wallet has to sign what an account predicts for it.',
    Type.Boolean(),
  ),
  opensAt: described('When predictions begin.', TimestampField),
  locksAt: described('No prediction is accepted from here on.', TimestampField),
  settlesAt: described('The last trade up to here decides.', TimestampField),
  lockedAt: described('When the round was locked; null before.', Nullable(TimestampField)),
  settledAt: described('When the round was settled; null before.', Nullable(TimestampField)),
  settlementPriceInSol: described(
    'The price that decides; null before settlement.',
    Nullable(DecimalStringField),
  ),
  voidReason: described('Why the round was voided; null otherwise.', Nullable(OneOf(voidReasons))),
  participantCount: described('Wallets that take part.', CountField),
  createdAt: CreatedAtField,
  updatedAt: UpdatedAtField,
});

/** Where the rounds of a token are read. */
export const ROUNDS_PATH = '/tokens/:mint/prediction-rounds';
export const MintPath = Type.Object({ mint: AddressField });
export const RoundPath = Type.Object({ mint: AddressField, roundId: UuidField });

/** An aggregate before the durable lock, exact entries after it (contract/predictions#round-predictions). */
export const RoundPredictionsSchema = Type.Union(
  [
    Closed({
      visibility: described(
        'Before the lock only the number of predictions is shown, after it each of them.',
        Type.Literal('aggregate'),
      ),
      participantCount: described('Wallets that take part.', CountField),
    }),
    Closed({
      visibility: described(
        'Before the lock only the number of predictions is shown, after it each of them.',
        Type.Literal('exact'),
      ),
      participantCount: described('Wallets that take part.', CountField),
      data: described(
        'The entries of this page.',
        Type.Array(
          Closed({
            id: IdField,
            walletAddress: WalletAddressField,
            username: described('Name of the wallet’s owner.', Type.String()),
            predictedPriceInSol: described('Price of a whole token that was predicted.', DecimalStringField),
            submittedAt: described('When it was submitted; null before.', TimestampField),
          }),
        ),
      ),
      page: described(
        'Where this page stands in the list.',
        Type.Object({
          hasMore: described('Whether another page follows.', Type.Boolean()),
          nextCursor: described('`cursor` of the next page; null on the last one.', Nullable(Type.String())),
        }),
      ),
    }),
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
export const StandingsSchema = Named('PredictionStandings', {
  data: described(
    'The entries of this page.',
    Type.Array(
      Closed({
        id: IdField,
        rank: described('Place, the best is 1; null before settlement.', Type.Integer({ minimum: 1 })),
        walletAddress: WalletAddressField,
        username: described('Name of the wallet’s owner.', Type.String()),
        predictedPriceInSol: described('Price of a whole token that was predicted.', DecimalStringField),
        distancePpm: described(
          'Distance from the settlement price, in parts per million; null before settlement.',
          IntStringField,
        ),
        submittedAt: described('When it was submitted; null before.', TimestampField),
        payoutLamports: described(
          'What the prediction won; null without a payout.',
          Type.Optional(IntStringField),
        ),
      }),
      { maxItems: STANDINGS_MAX },
    ),
  ),
  page: described(
    'Where this page stands in the list.',
    Type.Object({
      hasMore: described('Whether another page follows.', Type.Boolean()),
      nextCursor: described('`cursor` of the next page; null on the last one.', Nullable(Type.String())),
    }),
  ),
});
