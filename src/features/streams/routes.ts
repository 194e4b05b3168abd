import { type Route, type RouteDefinition, stream } from '../../http/route.ts';
import type { OpenableStream, StreamCaller } from '../../http/streams/stream-caller.ts';
import { Problem } from '../../shared/problem.ts';
import { parseCursor } from './cursor.ts';
import { readyMessage } from './following/join.ts';
import { createSseSink } from './readers/sse-sink.ts';
import { StreamSocket } from './readers/stream-socket.ts';
import type { RecordSources } from './record-sources.ts';
import { StreamMessageSchema, StreamQuery } from './schema.ts';
import type { Streams } from './streams.ts';
import { requireAccess } from './topic-access.ts';
import { parseTopics, type Topic } from './topics.ts';

const QUERY_TOPICS = '/query/topics';

const openStream = {
  id: 'openStream',
  method: 'GET',
  path: '/stream',
  refusesUnknownQuery: true,
  tag: 'Streams',
  summary: 'Changes as they happen',
  description:
    'Follows up to 100 topics: `tokens`, `token:{mint}`, `trades`, `trades:{mint}`, `wallet:{address}`, `launches`, `graduations`, `candles:{mint}:{interval}`, `stats:{mint}`, `presales`, `presale:{id}`, `rounds`, `rounds:{mint}`, `events`, and with a key `intents`, `orders`, `operations`, `deliveries`. Topics of trades take a filter, such as `trades;minSol=5;side=buy;wallet={address}`. Without a cursor a topic begins with its present state. With `Last-Event-ID` the stream continues where it ended, at any process, for at least 15 minutes. A `heartbeat` is sent every second. The same address accepts WebSockets, with the same messages as JSON texts; there topics can be changed while the stream is open. Send a key in `Authorization` or in a message, never in the URL.',
  auth: 'anonymous',
  ratePolicy: 'stream-open',
  successStatus: 200,
  query: StreamQuery,
  response: StreamMessageSchema,
  isStream: true,
  problems: [
    'invalid_api_key',
    'insufficient_scope',
    'cursor_invalid',
    'token_not_found',
    'presale_not_found',
    'stream_limit_reached',
  ],
} satisfies RouteDefinition;

export const streamDefinitions: readonly RouteDefinition[] = [openStream];

export interface StreamRouteDependencies {
  streams: Streams;
  recordSources: RecordSources;
}

export const streamRoutes = (dependencies: StreamRouteDependencies): readonly Route[] => [
  stream(openStream, async ({ query }, caller, isSocket) => {
    const topics = requestedTopics(query.topics, isSocket);
    requireAccess(topics, caller.principal);
    const cursor = caller.lastEventId || query.cursor;
    const after = cursor === undefined ? null : parseCursor(cursor);
    await requireTokens(topics, dependencies);
    return openable({ topics, after }, caller, dependencies);
  }),
];

/** A WebSocket may begin without topics. */
function requestedTopics(text: string | undefined, isSocket: boolean): Topic[] {
  if (text === undefined && isSocket) return [];
  return parseTopics(text === undefined || text === '' ? [] : text.split(','), QUERY_TOPICS);
}

/** Throws `token_not_found` for a mint without a visible token, and `presale_not_found`. */
async function requireTokens(
  topics: readonly Topic[],
  { recordSources }: StreamRouteDependencies,
): Promise<void> {
  const mints = [...new Set(topics.flatMap((topic) => ('mint' in topic ? [topic.mint] : [])))];
  await requirePresales(topics, recordSources);
  if (mints.length === 0) return;
  const visible = await recordSources.visibleMints(mints);
  const unknown = mints.find((mint) => !visible.has(mint));
  if (unknown !== undefined) throw new Problem('token_not_found', { context: { mintAddress: unknown } });
}

/** Throws `presale_not_found` for an id without a public presale. */
async function requirePresales(topics: readonly Topic[], recordSources: RecordSources): Promise<void> {
  const ids = topics.flatMap((topic) => (topic.kind === 'presale' ? [topic.presaleId] : []));
  if (ids.length === 0) return;
  const found = await recordSources.presales(ids);
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) throw new Problem('presale_not_found', { context: { presaleId: unknown } });
}

function openable(
  { topics, after }: { topics: Topic[]; after: ReturnType<typeof parseCursor> | null },
  caller: StreamCaller,
  dependencies: StreamRouteDependencies,
): OpenableStream {
  const { streams } = dependencies;
  const { principal, subject, network } = caller;
  const holder = { subject, hasKey: principal !== null, network };
  const greeting = (_cursor: string | null, isResumed: boolean) => readyMessage(topics, isResumed);
  return {
    toEvents() {
      const { sink, body, gone } = createSseSink({
        onDrained: () => reader.onDrained(),
        onGone: () => streams.close(reader),
      });
      const reader = streams.open(holder, { sink, transport: 'sse' });
      reader.owner = principal;
      reader.keyId = principal?.id ?? null;
      streams.follower.join({ reader, topics, after, greeting });
      if (caller.signal.aborted) gone();
      else caller.signal.addEventListener('abort', gone, { once: true });
      return body;
    },
    toSocket: () =>
      new StreamSocket({
        streams,
        topics,
        after,
        principal,
        holder,
        isFromPage: caller.isFromPage,
        authenticate: caller.authenticate,
        drawTopics: caller.drawTopics,
        describe: caller.describe,
        requireTokens: (asked) => requireTokens(asked, dependencies),
      }),
  };
}
