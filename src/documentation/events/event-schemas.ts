import { type TSchema, Type } from '@sinclair/typebox';
import { FeesClaimedSchema } from '../../features/fees/claims/schema.ts';
import { FeeDistributionSchema } from '../../features/fees/schema.ts';
import { RevokedKeyEventSchema } from '../../features/identity/schema.ts';
import { TradeSchema } from '../../features/market/schema.ts';
import { OperationSchema } from '../../features/operations/schema.ts';
import { OrderSchema } from '../../features/orders/schema.ts';
import { PredictionRoundSchema } from '../../features/predictions/rounds/schema.ts';
import { PredictionSchema } from '../../features/predictions/submissions/schema.ts';
import { PresaleSchema } from '../../features/presales/schema.ts';
import { CreatorChangeSchema, LaunchedTokenSchema, TokenSchema } from '../../features/tokens/schema.ts';
import {
  AccountableEndpointEventSchema,
  ChangedEndpointEventSchema,
  EndpointEventSchema,
  FailingEndpointEventSchema,
} from '../../features/webhooks/endpoints/schema.ts';
import { TransactionIntentSchema } from '../../intents/schema.ts';
import type { EventName } from '../../shared/events/catalogue.ts';
import { UuidField } from '../../shared/field-schemas.ts';

const IntentEventSchema = Type.Omit(TransactionIntentSchema, ['serializedTransaction']);
const PingSchema = Type.Object({ endpointId: UuidField }, { additionalProperties: false });

/** The schema of `data` of each event (contract/events#catalogue). */
export const eventSchemas: Readonly<Record<EventName, TSchema>> = {
  'launch.created': LaunchedTokenSchema,
  'launch.graduated': TokenSchema,
  'launch.failed': TokenSchema,
  'token.curve_completed': TokenSchema,
  'token.creator_changed': CreatorChangeSchema,
  'wallet.traded': TradeSchema,
  'token.traded': TradeSchema,
  'presale.opened': PresaleSchema,
  'presale.settled': PresaleSchema,
  'presale.failed': PresaleSchema,
  'prediction_round.opened': PredictionRoundSchema,
  'prediction_round.locked': PredictionRoundSchema,
  'prediction_round.settled': PredictionRoundSchema,
  'prediction_round.voided': PredictionRoundSchema,
  'prediction.submitted': PredictionSchema,
  'fee_distribution.completed': FeeDistributionSchema,
  'fees.claimed': FeesClaimedSchema,
  'operation.succeeded': OperationSchema,
  'operation.failed': OperationSchema,
  'operation.cancelled': OperationSchema,
  'transaction_intent.prepared': IntentEventSchema,
  'transaction_intent.submitted': IntentEventSchema,
  'transaction_intent.confirmed': IntentEventSchema,
  'transaction_intent.failed': IntentEventSchema,
  'transaction_intent.expired': IntentEventSchema,
  'transaction_intent.finalized': IntentEventSchema,
  'transaction_intent.reverted': IntentEventSchema,
  'order.opened': OrderSchema,
  'order.triggered': OrderSchema,
  'order.landed': OrderSchema,
  'order.failed': OrderSchema,
  'order.cancelled': OrderSchema,
  'order.expired': OrderSchema,
  'order.voided': OrderSchema,
  'webhook_endpoint.failing': FailingEndpointEventSchema,
  'webhook_endpoint.disabled': EndpointEventSchema,
  'webhook_endpoint.created': AccountableEndpointEventSchema,
  'webhook_endpoint.changed': ChangedEndpointEventSchema,
  'webhook_endpoint.secret_rotated': AccountableEndpointEventSchema,
  'api_key.revoked': RevokedKeyEventSchema,
  'webhook.ping': PingSchema,
};
