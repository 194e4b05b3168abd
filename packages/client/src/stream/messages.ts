import type { Schemas } from '../operations.ts';
import type { WebhookEvent } from '../webhooks/events.ts';

/** `data` of each kind of message. */
export interface StreamData {
  token: Schemas['Token'] & { liquidityInSol: string | null; holderCount: number | null };
  trade: Schemas['Trade'];
  /** This trade no longer counts: its slot was rolled back. */
  trade_reverted: { mintAddress: string; tradeId: string };
  candle: StreamCandle;
  /** At most once a second for each token. */
  stats: Schemas['TokenStats'];
  presale: Schemas['Presale'];
  round: Schemas['PredictionRound'];
  event: WebhookEvent;
  intent: Schemas['TransactionIntentSummary'];
  order: Schemas['Order'];
  operation: Schemas['Operation'];
  delivery: Schemas['WebhookDelivery'];
}

/** A bar; `closed` when only a late or reverted trade can change it. */
export type StreamCandle = Schemas['Candles']['data'][number] & { mintAddress: string; interval: string };

interface TopicMessage<Kind extends keyof StreamData> {
  event: Kind;
  /** The cursor after this message; absent on candles, statistics and snapshots. Continue from the last received one. */
  id?: string;
  /** The narrowest topic that it belongs to. */
  topic: string;
  /** True for the messages with which a topic begins. */
  snapshot?: true;
  data: StreamData[Kind];
}

/** Topics that could not be continued, and the reads that fill the gap. */
export interface GapMessage {
  event: 'gap';
  reason: 'expired' | 'unknown_cursor';
  topics: string[];
  from: string | null;
  reads: string[];
}

/** Topics of a `topicStream` that the service refused to continue. The others go on. */
export interface RefusedMessage {
  event: 'refused';
  topics: string[];
  problem: Schemas['Problem'];
}

/** The first message after every connection. */
export interface ReadyMessage {
  event: 'ready';
  topics: string[];
  /** True when it continues from a cursor. */
  resumed: boolean;
  /** Milliseconds to wait before the next connection when this one breaks. */
  retryMs: number;
}

/** Every second: everything up to `id` was sent. */
export interface HeartbeatMessage {
  event: 'heartbeat';
  id: string;
  sequence: number;
  /** Through this time trades are proven to be read; null before the first proof. */
  provenThrough: string | null;
  /** When the service last read its log to the end. While it does not advance, silence means nothing. */
  readAt: string;
}

/** The messages of a loop over a stream. */
export type StreamMessage = { [Kind in keyof StreamData]: TopicMessage<Kind> }[keyof StreamData] | GapMessage;

/** With `heartbeats: true` it gets these as well. */
export type StreamSignal = ReadyMessage | HeartbeatMessage;

/** The last message of a connection that the service ends. */
export interface EndMessage {
  event: 'end';
  reason: string;
  /** Null if the stream had no place yet. */
  cursor: string | null;
  retryAfterMs: number;
}

/** The kinds that reach the loop. A kind that this version does not know is left out. */
export const topicKinds: ReadonlySet<string> = new Set<keyof StreamData | 'gap'>([
  'token',
  'trade',
  'trade_reverted',
  'candle',
  'stats',
  'presale',
  'round',
  'event',
  'intent',
  'order',
  'operation',
  'delivery',
  'gap',
]);
