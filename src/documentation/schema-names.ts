import type { TSchema } from '@sinclair/typebox';
import { FeeDistributionSchema } from '../features/fees/schema.ts';
import { OperationSchema } from '../features/operations/schema.ts';
import { PredictionRoundSchema, PredictionSchema } from '../features/predictions/schema.ts';
import { PresaleSchema } from '../features/presales/schema.ts';
import { MarketSnapshotSchema, TokenSchema } from '../features/tokens/schema.ts';
import { TransactionIntentSchema } from '../features/transaction-intents/schema.ts';
import { CreatedEndpointSchema, DeliverySchema, EndpointSchema } from '../features/webhooks/schema.ts';
import { ProblemSchema } from '../http/problem-schema.ts';

/** Records that OpenAPI describes once, by name. A record without a name is described where it is used. */
export const schemaNames: ReadonlyMap<TSchema, string> = new Map<TSchema, string>([
  [TokenSchema, 'Token'],
  [MarketSnapshotSchema, 'MarketSnapshot'],
  [FeeDistributionSchema, 'FeeDistribution'],
  [PresaleSchema, 'Presale'],
  [PredictionRoundSchema, 'PredictionRound'],
  [PredictionSchema, 'Prediction'],
  [OperationSchema, 'Operation'],
  [TransactionIntentSchema, 'TransactionIntent'],
  [EndpointSchema, 'WebhookEndpoint'],
  [CreatedEndpointSchema, 'CreatedWebhookEndpoint'],
  [DeliverySchema, 'WebhookDelivery'],
  [ProblemSchema, 'Problem'],
]);
