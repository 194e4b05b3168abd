import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { StreamedBarSchema, TradeSchema } from '../../features/market/schema.ts';
import { TokenStatsSchema } from '../../features/market/stats/schema.ts';
import { OperationSchema } from '../../features/operations/schema.ts';
import { OrderSchema } from '../../features/orders/schema.ts';
import { PredictionRoundSchema } from '../../features/predictions/rounds/schema.ts';
import { PresaleSchema } from '../../features/presales/schema.ts';
import { StreamedTokenSchema } from '../../features/tokens/schema.ts';
import { DeliverySchema } from '../../features/webhooks/deliveries/schema.ts';
import { TransactionIntentSchema } from '../../intents/schema.ts';
import { AddressField, Nullable, OneOf, TimestampField, UuidField } from '../../shared/field-schemas.ts';

const Cursor = Type.String({ maxLength: 64, description: 'continue after it with `Last-Event-ID`' });
const TopicText = Type.String({ description: 'the narrowest topic that the message belongs to' });
const Topics = Type.Array(Type.String());
const RequestId = Type.Optional(Type.String({ maxLength: 64 }));

/**
 * A message of a topic. One of a history moves the cursor; candles and statistics never do, and a snapshot has
 * none either.
 */
function topicMessage(event: string, data: TSchema, movesCursor = true): TObject {
  return Type.Object({
    event: Type.Literal(event),
    ...(movesCursor ? { id: Type.Optional(Cursor) } : {}),
    topic: TopicText,
    snapshot: Type.Optional(Type.Literal(true)),
    data,
  });
}

const CloudEvent = Type.Object({
  specversion: Type.Literal('1.0'),
  id: UuidField,
  source: Type.String(),
  type: Type.String(),
  subject: Type.String(),
  time: TimestampField,
  datacontenttype: Type.Literal('application/json'),
  dataschema: Type.String(),
  data: Type.Unknown({ description: 'as the schema of its type says' }),
});

/** Messages of topics, by `event` (contract/streams#messages). */
export const topicMessages = {
  token: topicMessage('token', StreamedTokenSchema),
  trade: topicMessage('trade', TradeSchema),
  trade_reverted: topicMessage(
    'trade_reverted',
    Type.Object({ mintAddress: AddressField, tradeId: UuidField }),
  ),
  candle: topicMessage('candle', StreamedBarSchema, false),
  stats: topicMessage('stats', TokenStatsSchema, false),
  presale: topicMessage('presale', PresaleSchema),
  round: topicMessage('round', PredictionRoundSchema),
  event: topicMessage('event', CloudEvent),
  intent: topicMessage('intent', Type.Omit(TransactionIntentSchema, ['serializedTransaction'])),
  order: topicMessage('order', OrderSchema),
  operation: topicMessage('operation', OperationSchema),
  delivery: topicMessage('delivery', DeliverySchema),
} as const satisfies Record<string, TObject>;

/** Messages about the stream itself, by `event`. */
export const controlMessages = {
  ready: Type.Object({
    event: Type.Literal('ready'),
    topics: Topics,
    resumed: Type.Boolean(),
    retryMs: Type.Integer({ minimum: 0 }),
  }),
  heartbeat: Type.Object({
    event: Type.Literal('heartbeat'),
    id: Cursor,
    sequence: Type.Integer({ minimum: 0 }),
    provenThrough: Nullable(TimestampField),
    readAt: TimestampField,
  }),
  gap: Type.Object({
    event: Type.Literal('gap'),
    reason: OneOf(['expired', 'unknown_cursor']),
    topics: Topics,
    from: Nullable(TimestampField),
    reads: Type.Array(Type.String()),
  }),
  end: Type.Object({
    event: Type.Literal('end'),
    reason: OneOf(['draining', 'slow_reader', 'key_revoked', 'position_lost']),
    cursor: Nullable(Cursor),
    retryAfterMs: Type.Integer({ minimum: 0 }),
  }),
} as const satisfies Record<string, TObject>;

/** Responses to a client's messages on a WebSocket, by `event`. */
export const socketAnswers = {
  authenticated: Type.Object({
    event: Type.Literal('authenticated'),
    requestId: RequestId,
    scopes: Type.Array(Type.String()),
  }),
  subscribed: Type.Object({ event: Type.Literal('subscribed'), requestId: RequestId, topics: Topics }),
  unsubscribed: Type.Object({ event: Type.Literal('unsubscribed'), requestId: RequestId, topics: Topics }),
  problem: Type.Object({
    event: Type.Literal('problem'),
    requestId: RequestId,
    problem: Type.Unknown({ description: 'Problem Details' }),
  }),
} as const satisfies Record<string, TObject>;
