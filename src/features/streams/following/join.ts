import type { Channel } from '../channel.ts';
import { channelsOf } from '../channels.ts';
import type { LogPosition } from '../cursor.ts';
import type { LogFilter } from '../log/read-log.ts';
import { controlMessage, type StreamMessage } from '../messages/stream-message.ts';
import type { StreamReader } from '../readers/reader.ts';
import { mintOf, type Topic, walletsOf } from '../topics.ts';

/** Milliseconds that a client waits before it connects again, unless the server sends another time. */
export const RETRY_MS = 1_000;

/** Topics that a reader begins to follow. */
export interface Join {
  reader: StreamReader;
  topics: readonly Topic[];
  /** Where to continue; null to begin with snapshots. */
  after: LogPosition | null;
  /** The message that says where the stream begins; null when it has been sent. */
  greeting: ((cursor: string | null, isResumed: boolean) => StreamMessage) | null;
  /** Called when the topics are followed, or the stream has ended. */
  onSettled?(): void;
}

/** The first message of a stream (contract/streams#ready). */
export function readyMessage(topics: readonly Topic[], isResumed: boolean): StreamMessage {
  const fields = { topics: topics.map(({ text }) => text), resumed: isResumed, retryMs: RETRY_MS };
  return controlMessage('ready', fields, null, RETRY_MS);
}

/** REST paths with the same content as a topic (contract/streams#gap). */
const readPaths: Readonly<Record<Topic['kind'], (id: string) => string | null>> = {
  tokens: () => '/tokens',
  token: (mint) => `/tokens/${mint}`,
  trades: () => '/tokens/{mint}/trades',
  'token-trades': (mint) => `/tokens/${mint}/trades`,
  wallet: (wallet) => `/wallets/${wallet}/trades`,
  launches: () => '/tokens',
  graduations: () => '/tokens',
  candles: (mint) => `/tokens/${mint}/candles`,
  stats: (mint) => `/tokens/${mint}/stats`,
  presales: () => '/presales',
  presale: (id) => `/presales/${id}`,
  rounds: () => '/tokens/{mint}/prediction-rounds',
  'token-rounds': (mint) => `/tokens/${mint}/prediction-rounds`,
  events: () => '/events',
  intents: () => '/transaction-intents',
  orders: () => '/orders',
  operations: () => '/operations',
  deliveries: () => '/webhook-endpoints/{endpointId}/deliveries',
};

/**
 * The message for topics that cannot continue (contract/streams#gap).
 * @param from when the last deleted change was made; null when nobody knows
 */
export function gapMessage(
  topics: readonly Topic[],
  reason: 'expired' | 'unknown_cursor',
  from: Date | null,
): StreamMessage {
  const paths = topics.flatMap((topic) => {
    return readPaths[topic.kind](namedBy(topic) ?? '') ?? [];
  });
  return controlMessage('gap', {
    reason,
    topics: topics.map(({ text }) => text),
    from: from?.toISOString() ?? null,
    reads: [...new Set(paths)].map((path) => `/api/v2${path}`),
  });
}

/** What a topic names: a presale, a wallet or a mint. */
function namedBy(topic: Topic): string | null {
  if (topic.kind === 'presale') return topic.presaleId;
  return topic.kind === 'wallet' ? topic.wallet : mintOf(topic);
}

/** Sends the greeting, unless it was sent. */
export function greet({ greeting, reader }: Join, cursor: string | null, isResumed: boolean): void {
  if (greeting !== null) reader.offer(greeting(cursor, isResumed));
}

export function filterOf({ topics, reader }: Join): LogFilter {
  const kinds = new Set<LogFilter['kinds'][number]>();
  for (const topic of topics) {
    const { kind } = topic;
    if (kind === 'tokens') kinds.add('token');
    if (kind === 'events' || kind === 'launches' || kind === 'graduations') kinds.add('event');
    if (kind === 'presales' || kind === 'presale') kinds.add('presale');
    if (kind === 'rounds' || kind === 'token-rounds') kinds.add('round');
    if (kind === 'trades' && walletsOf(topic).length === 0) kinds.add('trade').add('trade_reverted');
  }
  return {
    mints: [...new Set(topics.flatMap((topic) => mintOf(topic) ?? []))],
    kinds: [...kinds],
    wallets: [...new Set(topics.flatMap(walletsOf))],
    accountId: reader.owner?.accountId ?? null,
  };
}

export function channelsOfJoin({ reader, topics }: Pick<Join, 'reader' | 'topics'>): Channel[] {
  return topics.flatMap((topic) => channelsOf(topic, reader.owner));
}
