import { eventExamples } from '../events/event-examples.ts';
import type { controlMessages, socketAnswers, topicMessages } from './stream-messages.ts';

const MINT = '7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw';
const WALLET = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const OTHER_ID = '0191e7a4-7b2f-7c4d-8e6f-1a2b3c4d5e6f';
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const TIME = '2026-11-20T10:00:00.000Z';
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
    data: { ...(eventExamples['launch.created'].data as object), liquidityInSol: '0.5', holderCount: 12 },
  },
  trade: {
    event: 'trade',
    id: CURSOR,
    topic: `trades:${MINT}`,
    data: {
      id: ID,
      mintAddress: MINT,
      type: 'buy',
      traderWallet: WALLET,
      solAmount: '0.5',
      tokenAmount: '17067759.003241',
      pricePerTokenInSol: '0.000000029295',
      spotPriceInSol: '0.000000029301',
      slot: '381204755',
      blockTime: TIME,
      transactionSignature: SIGNATURE,
    },
  },
  trade_reverted: {
    event: 'trade_reverted',
    id: CURSOR,
    topic: `trades:${MINT}`,
    data: { mintAddress: MINT, tradeId: ID },
  },
  candle: {
    event: 'candle',
    topic: `candles:${MINT}:1m`,
    data: {
      mintAddress: MINT,
      interval: '1m',
      openTime: TIME,
      open: '0.000000029295',
      high: '0.000000029311',
      low: '0.000000029295',
      close: '0.000000029301',
      volumeInSol: '2.25',
      volumeInToken: '76804915.5',
      tradeCount: 4,
      closed: false,
    },
  },
  event: {
    event: 'event',
    id: CURSOR,
    topic: 'events',
    data: {
      specversion: '1.0',
      id: ID,
      source: 'https://api.example/api/v2',
      type: 'build.service.launch.created.v1',
      subject: MINT,
      time: TIME,
      datacontenttype: 'application/json',
      dataschema: 'https://api.example/docs/reference/events/build.service.launch.created.v1',
      data: eventExamples['launch.created'].data,
    },
  },
  intent: {
    event: 'intent',
    id: CURSOR,
    topic: 'intents',
    data: eventExamples['transaction_intent.confirmed'].data,
  },
  operation: {
    event: 'operation',
    id: CURSOR,
    topic: 'operations',
    data: eventExamples['operation.succeeded'].data,
  },
  delivery: {
    event: 'delivery',
    id: CURSOR,
    topic: 'deliveries',
    data: {
      id: ID,
      endpointId: OTHER_ID,
      eventId: ID,
      eventType: 'build.service.launch.created.v1',
      status: 'succeeded',
      attemptCount: 1,
      createdAt: TIME,
      updatedAt: TIME,
      deliveredAt: TIME,
      nextAttemptAt: null,
      pausedUntil: null,
      pauseReason: null,
      lastErrorCode: null,
      responseStatus: 204,
    },
  },
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
