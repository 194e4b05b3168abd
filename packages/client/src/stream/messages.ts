import type { Schemas } from '../operations.ts';
import type { WebhookEvent } from '../webhooks/events.ts';

/** `data` of each kind of message. */
export interface StreamData {
  token: Schemas['Token'] & { liquidityInSol: string | null; holderCount: number | null };
  trade: Schemas['Trade'];
  /** What was said of this trade does not count any more: its slot was rolled back. */
  trade_reverted: { mintAddress: string; tradeId: string };
  candle: StreamCandle;
  event: WebhookEvent;
  intent: Schemas['TransactionIntentSummary'];
  operation: Schemas['Operation'];
  delivery: Schemas['WebhookDelivery'];
}

/** A bar; `closed` when nothing but a late or reverted trade changes it. */
export type StreamCandle = Schemas['Candles']['data'][number] & { mintAddress: string; interval: string };

interface TopicMessage<Kind extends keyof StreamData> {
  event: Kind;
  /** The cursor after this message; absent on candles and snapshots. Continue from the last one that came. */
  id?: string;
  /** The narrowest topic that it belongs to. */
  topic: string;
  /** True for what a topic begins with. */
  snapshot?: true;
  data: StreamData[Kind];
}

/** What could not be continued, and the reads that fill it. */
export interface GapMessage {
  event: 'gap';
  reason: 'expired' | 'unknown_cursor';
  topics: string[];
  from: string | null;
  reads: string[];
}

/** Topics of a `topicStream` that the service refused when it was to continue them. The others go on. */
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

/** Every second: up to `id` everything was sent. */
export interface HeartbeatMessage {
  event: 'heartbeat';
  id: string;
  sequence: number;
  /** Through this time trades are proven to be read; null before the first proof. */
  provenThrough: string | null;
  /** When the service last read its log to the end: while it stands still, silence means nothing. */
  readAt: string;
}

/** What a loop over a stream gets. */
export type StreamMessage = { [Kind in keyof StreamData]: TopicMessage<Kind> }[keyof StreamData] | GapMessage;

/** With `heartbeats: true` it gets these as well. */
export type StreamSignal = ReadyMessage | HeartbeatMessage;

/** The last message of a connection that the service ends. */
export interface EndMessage {
  event: 'end';
  reason: string;
  /** Null: the stream had no place yet. */
  cursor: string | null;
  retryAfterMs: number;
}

/** The kinds that reach the loop; a kind that this version does not know is left out. */
export const topicKinds: ReadonlySet<string> = new Set<keyof StreamData | 'gap'>([
  'token',
  'trade',
  'trade_reverted',
  'candle',
  'event',
  'intent',
  'operation',
  'delivery',
  'gap',
]);
