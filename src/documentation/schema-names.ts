import type { TSchema } from '@sinclair/typebox';
import { FeeDistributionSchema, FeeStateSchema } from '../features/fees/schema.ts';
import {
  CandlesSchema,
  HolderStatsSchema,
  MarketSnapshotSchema,
  SupplyCompositionSchema,
  TradeSchema,
  WalletHoldingsSchema,
} from '../features/market/schema.ts';
import { OperationSchema } from '../features/operations/schema.ts';
import {
  PredictionRoundSchema,
  RoundPredictionsSchema,
  StandingsSchema,
} from '../features/predictions/rounds/schema.ts';
import { EligibilitySchema, PredictionSchema } from '../features/predictions/submissions/schema.ts';
import { PresaleParticipationSchema, PresaleSchema } from '../features/presales/schema.ts';
import {
  StakingLeaderboardSchema,
  StakingPoolSchema,
  StakingPositionsSchema,
} from '../features/staking/schema.ts';
import { TokenSchema } from '../features/tokens/schema.ts';
import { TransactionIntentSchema } from '../features/transaction-intents/schema.ts';
import { DeliverySchema } from '../features/webhooks/deliveries/schema.ts';
import {
  CreatedEndpointSchema,
  EndpointSchema,
  RotationSchema,
} from '../features/webhooks/endpoints/schema.ts';
import { ProblemSchema } from '../http/problem-schema.ts';

/** Records that OpenAPI describes once, by name. A record without a name is described where it is used. */
export const schemaNames: ReadonlyMap<TSchema, string> = new Map<TSchema, string>([
  [TokenSchema, 'Token'],
  [MarketSnapshotSchema, 'MarketSnapshot'],
  [CandlesSchema, 'Candles'],
  [TradeSchema, 'Trade'],
  [HolderStatsSchema, 'HolderStats'],
  [SupplyCompositionSchema, 'SupplyComposition'],
  [WalletHoldingsSchema, 'WalletHoldings'],
  [StakingPoolSchema, 'StakingPool'],
  [StakingLeaderboardSchema, 'StakingLeaderboard'],
  [StakingPositionsSchema, 'StakingPositions'],
  [FeeStateSchema, 'FeeState'],
  [FeeDistributionSchema, 'FeeDistribution'],
  [PresaleSchema, 'Presale'],
  [PresaleParticipationSchema, 'PresaleParticipation'],
  [PredictionRoundSchema, 'PredictionRound'],
  [RoundPredictionsSchema, 'RoundPredictions'],
  [StandingsSchema, 'PredictionStandings'],
  [EligibilitySchema, 'PredictionEligibility'],
  [PredictionSchema, 'Prediction'],
  [OperationSchema, 'Operation'],
  [TransactionIntentSchema, 'TransactionIntent'],
  [EndpointSchema, 'WebhookEndpoint'],
  [CreatedEndpointSchema, 'CreatedWebhookEndpoint'],
  [RotationSchema, 'RotatedWebhookSecret'],
  [DeliverySchema, 'WebhookDelivery'],
  [ProblemSchema, 'Problem'],
]);
