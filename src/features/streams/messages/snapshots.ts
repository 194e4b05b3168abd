import type { StreamOwner } from '../channels.ts';
import type { RecordSources } from '../record-sources.ts';
import type { Topic } from '../topics.ts';
import { candleMessage } from './candles.ts';
import { statsMessage } from './stats.ts';
import { StreamMessage, topicText } from './stream-message.ts';

/** Trades that `trades:{mint}` begins with. */
const TRADES_MAX = 20;
/** Rounds of a token that `rounds:{mint}` begins with. */
const ROUNDS_MAX = 100;
/** Records of an account that `operations` and `orders` begin with. */
const OPEN_MAX = 100;
const ownTopics = { operations: 'operation', orders: 'order' } as const;

/** A topic that a stream begins to follow; the owner is null without a key. */
export interface Beginning {
  topic: Topic;
  owner: StreamOwner | null;
}

/** The first messages of topics. */
export interface Snapshots {
  of(beginning: Beginning): readonly StreamMessage[];
}

/**
 * Reads the first messages of topics (contract/streams#topics), once for all streams that begin at this
 * position of the log: every later message is newer.
 */
export async function readSnapshots(
  beginnings: readonly Beginning[],
  position: bigint,
  sources: RecordSources,
): Promise<Snapshots> {
  const [market, own] = await Promise.all([
    readPublic(beginnings, position, sources),
    readOwn(beginnings, sources),
  ]);
  const byTopic = new Map([...market, ...own]);
  return {
    of: ({ topic, owner }) => {
      const key = topic.kind in ownTopics ? `${topic.kind}/${owner?.accountId}` : topic.text;
      return byTopic.get(key) ?? [];
    },
  };
}

/** The first messages of topics that anybody may follow, by the text of the topic. */
async function readPublic(
  beginnings: readonly Beginning[],
  position: bigint,
  sources: RecordSources,
): Promise<Map<string, StreamMessage[]>> {
  const topics = [...new Map(beginnings.map(({ topic }) => [topic.text, topic])).values()];
  const mintsOf = (kind: 'token' | 'token-trades' | 'stats' | 'token-rounds') =>
    topics.flatMap((topic) => (topic.kind === kind && !('filter' in topic) ? [topic.mint] : []));
  const series = topics.flatMap((topic) =>
    topic.kind === 'candles' ? [{ mintAddress: topic.mint, interval: topic.interval }] : [],
  );
  const presaleIds = topics.flatMap((topic) => (topic.kind === 'presale' ? [topic.presaleId] : []));
  const [tokens, trades, bars, stats, presales, rounds] = await Promise.all([
    sources.tokens(mintsOf('token')),
    sources.newestTrades(mintsOf('token-trades'), position, TRADES_MAX),
    sources.newestBars(series),
    sources.stats(mintsOf('stats')),
    sources.presales(presaleIds),
    sources.openRounds(mintsOf('token-rounds'), ROUNDS_MAX),
  ]);
  const byTopic = new Map<string, StreamMessage[]>();
  for (const [mint, token] of tokens)
    byTopic.set(`token:${mint}`, [snapshot('token', `token:${mint}`, token.record, `token:${mint}`)]);
  for (const [mint, list] of trades)
    byTopic.set(
      `trades:${mint}`,
      list.map((trade) => snapshot('trade', `trades:${mint}`, trade)),
    );
  for (const bar of bars) {
    const topic = `candles:${bar.mintAddress}:${bar.interval}`;
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), candleMessage(bar, true)]);
  }
  for (const [mint, record] of stats) byTopic.set(`stats:${mint}`, [statsMessage(mint, record, true)]);
  for (const [id, presale] of presales)
    byTopic.set(`presale:${id}`, [snapshot('presale', `presale:${id}`, presale, `presale:${id}`)]);
  for (const round of rounds) {
    const topic = `rounds:${round.mintAddress}`;
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), snapshot('round', topic, round, `round:${round.id}`)]);
  }
  return byTopic;
}

/** The first messages of topics of an account, by the topic and the account. */
async function readOwn(
  beginnings: readonly Beginning[],
  sources: RecordSources,
): Promise<Map<string, StreamMessage[]>> {
  const accountsOf = (kind: keyof typeof ownTopics) => [
    ...new Set(
      beginnings.flatMap(({ topic, owner }) =>
        topic.kind === kind && owner !== null ? [owner.accountId] : [],
      ),
    ),
  ];
  const [operations, orders] = await Promise.all([
    openOf(accountsOf('operations'), (accountId, limit) => sources.openOperations(accountId, limit)),
    openOf(accountsOf('orders'), (accountId, limit) => sources.openOrders(accountId, limit)),
  ]);
  const byTopic = new Map<string, StreamMessage[]>();
  for (const [topic, found] of [
    ['operations', operations],
    ['orders', orders],
  ] as const)
    for (const { accountId, open } of found) {
      const event = ownTopics[topic];
      byTopic.set(
        `${topic}/${accountId}`,
        open.map((record) => snapshot(event, topic, record, `${event}:${record.id}`)),
      );
    }
  return byTopic;
}

/** The records of accounts that have not ended. */
function openOf(accountIds: readonly string[], read: RecordSources['openOrders']) {
  return Promise.all(
    accountIds.map(async (accountId) => ({ accountId, open: await read(accountId, OPEN_MAX) })),
  );
}

function snapshot(
  event: string,
  topic: string,
  record: object,
  stateKey: string | null = null,
): StreamMessage {
  const text = topicText({ event, cursor: null, topic, isSnapshot: true }, JSON.stringify(record));
  return new StreamMessage({ event, text, stateKey });
}
