import { API_PREFIX } from '../../shared/api-prefix.ts';
import { type SchemaOptions, toJsonSchema } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { streamExamples } from '../streams/stream-examples.ts';
import { controlMessages, socketAnswers, topicMessages } from '../streams/stream-messages.ts';
import { streamTopics } from '../streams/stream-topics.ts';

const received = { ...topicMessages, ...controlMessages };
const summaries: Readonly<Record<string, string>> = {
  ready: 'The first message: the stream has begun.',
  heartbeat: 'Every second. Its `id` is the newest cursor.',
  gap: 'The stream cannot continue from the requested position: read the rest by REST.',
  end: 'The service ends the stream. Connect again with `cursor`.',
  authenticated: 'The key was accepted.',
  subscribed: 'The topics were added.',
  unsubscribed: 'The topics were removed.',
  problem: 'The message of the client was refused, and nothing changed.',
};

/** Messages of a client on a WebSocket (contract/streams#websocket). */
const requests = {
  authenticate: {
    summary: 'Presents the key, when there was no header. Refused where the handshake had an Origin.',
    payload: object({ type: word('authenticate'), key: text('the API key') }),
    example: { type: 'authenticate', key: 'lw_test_…' },
  },
  subscribe: {
    summary: 'Adds topics.',
    payload: object(
      { type: word('subscribe'), topics: topicList(), cursor: text('continue after it'), requestId: text() },
      ['type', 'topics'],
    ),
    example: { type: 'subscribe', topics: ['trades'], requestId: '1' },
  },
  unsubscribe: {
    summary: 'Removes topics.',
    payload: object({ type: word('unsubscribe'), topics: topicList(), requestId: text() }, [
      'type',
      'topics',
    ]),
    example: { type: 'unsubscribe', topics: ['trades'] },
  },
} as const;

/** Servers, channels, operations and messages of streams, over server-sent events and WebSockets. */
export function streamParts({ publicUrl, docsUrl }: DocumentationOptions, schemas: SchemaOptions) {
  const { host, pathname, protocol } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const path = pathname.replace(/\/$/, '');
  const server = (name: string) => ({
    host,
    protocol: name,
    ...(path !== '' && { pathname: path }),
  });
  return {
    servers: {
      events: { ...server(isSecure ? 'https' : 'http'), description: 'Server-sent events.' },
      sockets: { ...server(isSecure ? 'wss' : 'ws'), description: 'The same address as a WebSocket.' },
    },
    channels: {
      stream: channel('Server-sent events', 'events', Object.keys(received), docsUrl),
      socket: channel(
        'WebSocket',
        'sockets',
        [...Object.keys(received), ...Object.keys(socketAnswers), ...Object.keys(requests)],
        docsUrl,
      ),
    },
    operations: {
      followStream: operation('receive', 'stream', Object.keys(received)),
      followSocket: operation('receive', 'socket', [...Object.keys(received), ...Object.keys(socketAnswers)]),
      controlSocket: operation('send', 'socket', Object.keys(requests)),
    },
    messages: Object.fromEntries([
      ...Object.entries({ ...received, ...socketAnswers }).map(([event, schema]) => [
        nameOf(event),
        {
          name: event,
          title: event,
          ...(summaries[event] && { summary: summaries[event] }),
          payload: toJsonSchema(schema, schemas),
          examples: [{ name: event, payload: streamExamples[event as keyof typeof streamExamples] }],
        },
      ]),
      ...Object.entries(requests).map(([type, { summary, payload, example }]) => [
        nameOf(type),
        { name: type, title: type, summary, payload, examples: [{ name: type, payload: example }] },
      ]),
    ]),
  };
}

/** Lists the topics for readers of the document. */
function topicsText(): string {
  return Object.entries(streamTopics)
    .map(([form, { description, scope }]) => {
      const access = scope === null ? 'anonymous' : `needs \`${scope}\``;
      return `- \`${form}\` (${access}): ${description}`;
    })
    .join('\n');
}

function channel(title: string, server: string, kinds: readonly string[], docsUrl: string) {
  return {
    title,
    address: `${API_PREFIX}/stream`,
    description: `Follows up to 100 topics, given as \`?topics=a,b\`:\n\n${topicsText()}\n\n[Guide to streams](${docsUrl}/guides/streams).`,
    servers: [{ $ref: `#/servers/${server}` }],
    messages: Object.fromEntries(
      kinds.map((kind) => [nameOf(kind), { $ref: `#/components/messages/${nameOf(kind)}` }]),
    ),
  };
}

function operation(action: 'receive' | 'send', name: string, kinds: readonly string[]) {
  return {
    action,
    channel: { $ref: `#/channels/${name}` },
    messages: kinds.map((kind) => ({ $ref: `#/channels/${name}/messages/${nameOf(kind)}` })),
  };
}

/** The prefix separates them from the messages of webhooks, which are events. */
function nameOf(kind: string): string {
  return `stream_${kind}`;
}

function object(properties: Readonly<Record<string, object>>, required = Object.keys(properties)) {
  return { type: 'object', required, properties };
}

function word(value: string) {
  return { type: 'string', enum: [value] };
}

function text(description?: string) {
  return { type: 'string', ...(description && { description }) };
}

function topicList() {
  return { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 };
}
