import { type Static, Type } from '@sinclair/typebox';
import { roundStatuses, voidReasons } from '../../../db/values/predictions.ts';
import { PageOf, paginationFields } from '../../../http/lists/pages.ts';
import { publishedLimits, unpublishedLimits } from '../../../shared/contract-limits.ts';
import {
  Closed,
  CountField,
  CreatedAtField,
  DecimalStringField,
  described,
  IdField,
  IntStringField,
  MintAddressField,
  MintPath,
  Named,
  Nullable,
  OneOf,
  TimestampField,
  UpdatedAtField,
  UuidField,
  WalletAddressField,
} from '../../../shared/field-schemas.ts';

const ParticipantCountField = described('Wallets that take part.', CountField);
const UsernameField = described('Name of the owner of the wallet.', Type.String());
const PredictedPriceField = described('Predicted price of a whole token.', DecimalStringField);
const SubmittedAtField = described('When the prediction was submitted.', TimestampField);

/** contract/predictions#round */
export const PredictionRoundSchema = Named('PredictionRound', {
  id: IdField,
  mintAddress: MintAddressField,
  status: described('State of the record.', OneOf(roundStatuses)),
  minimumBalanceRaw: described('Base units that a wallet must hold.', IntStringField),
  prizePoolLamports: described('Lamports that are divided among the best predictions.', IntStringField),
  requiresDelegatedIntent: described(
    'Whether the wallet must sign an intent for each prediction that an account submits.',
    Type.Boolean(),
  ),
  opensAt: described('When the round begins to accept predictions.', TimestampField),
  locksAt: described('From this time on no prediction is accepted.', TimestampField),
  settlesAt: described('The last trade until this time sets the price.', TimestampField),
  lockedAt: described('When the round was locked; null until then.', Nullable(TimestampField)),
  settledAt: described('When the round was settled; null until then.', Nullable(TimestampField)),
  settlementPriceInSol: described(
    'The price that decides the round; null before settlement.',
    Nullable(DecimalStringField),
  ),
  voidReason: described('Why the round was voided; null otherwise.', Nullable(OneOf(voidReasons))),
  participantCount: ParticipantCountField,
  createdAt: CreatedAtField,
  updatedAt: UpdatedAtField,
});
export type PredictionRound = Static<typeof PredictionRoundSchema>;

/** Path of the rounds of a token. */
export const ROUNDS_PATH = '/tokens/:mint/prediction-rounds';
export const RoundPath = Type.Object({
  ...MintPath.properties,
  roundId: described('Prediction round id.', UuidField),
});

export const RoundsQuery = Type.Object({
  ...paginationFields,
  status: described('Only rounds with this status.', Type.Optional(OneOf(roundStatuses))),
});

/** The public part of a prediction once its round has locked. */
const EntrySchema = Closed({
  id: IdField,
  walletAddress: WalletAddressField,
  username: UsernameField,
  predictedPriceInSol: PredictedPriceField,
  submittedAt: SubmittedAtField,
});
export type PredictionEntry = Static<typeof EntrySchema>;

const VISIBILITY_MEANING = 'Before the lock only the number of predictions is shown, after it each of them.';

/** An aggregate before the durable lock, exact entries after it (contract/predictions#round-predictions). */
export const RoundPredictionsSchema = Type.Union(
  [
    Closed({
      visibility: described(VISIBILITY_MEANING, Type.Literal('aggregate')),
      participantCount: ParticipantCountField,
    }),
    Closed({
      visibility: described(VISIBILITY_MEANING, Type.Literal('exact')),
      participantCount: ParticipantCountField,
      ...PageOf(EntrySchema).properties,
    }),
  ],
  { $id: 'RoundPredictions' },
);
export type RoundPredictions = Static<typeof RoundPredictionsSchema>;

export const STANDINGS_MAX = unpublishedLimits.predictionStandings;

/**
 * As for other lists, except that without a limit a page is as long as the list was before there were pages.
 */
export const StandingsQuery = Type.Object({
  ...paginationFields,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: publishedLimits.pageLimitMax,
      description: `Maximum number of items on one page. Default: ${STANDINGS_MAX}.`,
    }),
  ),
});

const StandingSchema = Closed({
  id: IdField,
  rank: described('Rank; the best is 1.', Type.Integer({ minimum: 1 })),
  walletAddress: WalletAddressField,
  username: UsernameField,
  predictedPriceInSol: PredictedPriceField,
  distancePpm: described('Distance from the settlement price, in parts per million.', IntStringField),
  submittedAt: SubmittedAtField,
  payoutLamports: described(
    'Lamports that the prediction won; absent when it won none.',
    Type.Optional(IntStringField),
  ),
});
export type Standing = Static<typeof StandingSchema>;

/** contract/predictions#standings: best first. */
export const StandingsSchema = Named(
  'PredictionStandings',
  PageOf(StandingSchema, { maxItems: STANDINGS_MAX }).properties,
);
