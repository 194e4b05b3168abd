import { documentedEvents } from '../events/documented-events.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };
import { RECORDED_FROM } from '../reference/response-examples.ts';
import type { controlMessages, socketAnswers, topicMessages } from './stream-messages.ts';

const {
  getToken: token,
  getTokenMarketSnapshot: { liquidityInSol, holderCount },
  listTokenTrades: {
    data: [trade],
  },
  listTokenCandles: {
    mintAddress: MINT,
    interval,
    data: [candle],
  },
  getTokenStats: stats,
  getPresale: presale,
  getPredictionRound: round,
  getWebhookDelivery: delivery,
  getEvent: { body: event },
} = recorded;
const API = 'https://api.example';
const published = {
  ...event,
  source: event.source.replace(RECORDED_FROM, API),
  dataschema: event.dataschema.replace(RECORDED_FROM, API),
};
const TIME = event.time;
const CURSOR = '1.9f2c41d07be3.48213';

type StreamMessageKind =
  | keyof typeof topicMessages
  | keyof typeof controlMessages
  | keyof typeof socketAnswers;

/** A message of each kind, in the form that clients receive. */
export const streamExamples: Readonly<Record<StreamMessageKind, object>> = {
  token: {
    event: 'token',
    id: CURSOR,
    topic: `token:${MINT}`,
    data: { ...token, liquidityInSol, holderCount },
  },
  trade: { event: 'trade', id: CURSOR, topic: `trades:${MINT}`, data: { ...trade } },
  trade_reverted: {
    event: 'trade_reverted',
    id: CURSOR,
    topic: `trades:${MINT}`,
    data: { mintAddress: MINT, tradeId: trade?.id },
  },
  candle: {
    event: 'candle',
    topic: `candles:${MINT}:${interval}`,
    data: { mintAddress: MINT, interval, ...candle },
  },
  stats: { event: 'stats', topic: `stats:${stats.mintAddress}`, data: stats },
  presale: { event: 'presale', id: CURSOR, topic: `presale:${presale.id}`, data: presale },
  round: { event: 'round', id: CURSOR, topic: `rounds:${round.mintAddress}`, data: round },
  event: { event: 'event', id: CURSOR, topic: 'events', data: published },
  intent: {
    event: 'intent',
    id: CURSOR,
    topic: 'intents',
    data: documentedEvents['transaction_intent.confirmed'].example,
  },
  order: { event: 'order', id: CURSOR, topic: 'orders', data: documentedEvents['order.landed'].example },
  operation: {
    event: 'operation',
    id: CURSOR,
    topic: 'operations',
    data: documentedEvents['operation.succeeded'].example,
  },
  delivery: { event: 'delivery', id: CURSOR, topic: 'deliveries', data: delivery },
  ready: { event: 'ready', topics: ['tokens', `trades:${MINT}`], resumed: false, retryMs: 1_000 },
  heartbeat: { event: 'heartbeat', id: CURSOR, sequence: 812, provenThrough: TIME, readAt: TIME },
  gap: {
    event: 'gap',
    reason: 'expired',
    topics: [`trades:${MINT}`],
    from: TIME,
    reads: [`/api/v2/tokens/${MINT}/trades`],
  },
  end: { event: 'end', reason: 'draining', cursor: CURSOR, retryAfterMs: 3_418 },
  authenticated: { event: 'authenticated', requestId: 'a', scopes: ['operations:read'] },
  subscribed: { event: 'subscribed', requestId: 'b', topics: ['intents'] },
  unsubscribed: { event: 'unsubscribed', requestId: 'c', topics: ['intents'] },
  problem: {
    event: 'problem',
    requestId: 'd',
    problem: {
      type: 'https://api.example/docs/reference/errors#insufficient_scope',
      title: 'Insufficient scope',
      status: 403,
      detail: 'The API key does not carry every scope of this operation.',
      instance: '/api/v2/stream',
      code: 'insufficient_scope',
      requestId: 'req_0191e7a45c1e7d3a9c5b2f4a6b8c0d1e',
      context: { requiredScopes: ['webhooks:read'], missingScopes: ['webhooks:read'] },
    },
  },
};
