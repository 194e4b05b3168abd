import { type Static, Type } from '@sinclair/typebox';
import { predictionStatuses, roundStatuses } from '../../../db/values/predictions.ts';
import { paginationFields } from '../../../http/lists/pages.ts';
import {
  Closed,
  DecimalStringField,
  described,
  IdField,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
  WalletAddressField,
} from '../../../shared/field-schemas.ts';
import { eligibilityReasons } from './eligibility.ts';

/** Created and owned predictions (contract/predictions#prediction). */
export const PredictionSchema = Named('Prediction', {
  id: IdField,
  roundId: described('The prediction round.', UuidField),
  mintAddress: MintAddressField,
  walletAddress: WalletAddressField,
  predictedPriceInSol: described('Predicted price of a whole token.', DecimalStringField),
  status: described('State of the record.', OneOf(predictionStatuses)),
  evaluationSlot: described('Slot of the balance.', IntStringField),
  balanceRaw: described('Finalized balance of the wallet, base units.', IntStringField),
  submittedAt: described('When the prediction was submitted.', TimestampField),
  rank: described('Rank; the best is 1; null before settlement.', Nullable(Type.Integer({ minimum: 1 }))),
  distancePpm: described(
    'Distance from the settlement price, in parts per million; null before settlement.',
    Nullable(IntStringField),
  ),
  payoutLamports: described(
    'Lamports that the prediction won; null if there is no payout.',
    Nullable(IntStringField),
  ),
});
export type Prediction = Static<typeof PredictionSchema>;

export const PredictionPath = Type.Object({ predictionId: described('Prediction id.', UuidField) });

/** contract/predictions#own */
export const PredictionsQuery = Type.Object({
  ...paginationFields,
  status: described('Only predictions with this status.', Type.Optional(OneOf(predictionStatuses))),
  roundId: described('Only predictions of this round.', Type.Optional(UuidField)),
});

/** contract/predictions#eligibility */
export const EligibilitySchema = Named('PredictionEligibility', {
  roundId: described('The prediction round.', UuidField),
  walletAddress: WalletAddressField,
  eligible: described('Whether the wallet may predict now.', Type.Boolean()),
  reasons: described(
    'Requirements that the wallet does not meet, in the order of the checks.',
    Type.Array(OneOf(eligibilityReasons)),
  ),
  roundStatus: described('State of the round.', OneOf(roundStatuses)),
  balanceRaw: described('Finalized balance of the wallet, base units.', IntStringField),
  minimumBalanceRaw: described('Base units that a wallet must hold.', IntStringField),
  evaluationSlot: described('Slot of the balance.', IntStringField),
  evaluatedAt: described('When it was evaluated.', TimestampField),
  locksAt: described('From this time on no prediction is accepted.', TimestampField),
});
export type Eligibility = Static<typeof EligibilitySchema>;

/** The service rejects a well-formed price out of range (contract/predictions#price-range). */
export const NewPredictionBody = Closed({
  roundId: described('The prediction round.', UuidField),
  walletAddress: WalletAddressField,
  predictedPriceInSol: described('Predicted price of a whole token.', DecimalStringField),
});
