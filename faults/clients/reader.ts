import { createClient, isLaunchwireError, type StreamMessage, type StreamSignal } from 'launchwire';
import { between, type Random } from '../../bench/measurement/seeded-random.ts';
import { wait } from '../../src/shared/loop.ts';
import type { ReaderHistory } from '../evidence/histories.ts';
import { recordingFetch } from './recording-fetch.ts';
import type { ClientSetting } from './setting.ts';

export interface ReaderOptions {
  readonly name: string;
  /** Null reads without a key. */
  readonly credentials: { readonly accountId: string; readonly apiKey: string } | null;
  readonly transport: 'events' | 'socket';
  readonly random: Random;
}

const TOPICS = ['trades', 'events'];
const REOPEN_MS = 250;
/** A reader leaves its stream after a time between these, and comes back with its cursor. */
const STAYS_MS = [4_000, 30_000] as const;

/** A reader that goes on at its last cursor, whatever ends its stream. */
export interface Reader {
  readonly history: () => ReaderHistory;
  /** Whether everything up to this id of the log was sent to it. */
  readonly hasReached: (id: bigint) => boolean;
  stop(): Promise<void>;
}

export function followStream(setting: ClientSetting, options: ReaderOptions): Reader {
  const { name, credentials, transport, random } = options;
  const client = createClient({
    baseUrl: setting.origin,
    apiKey: credentials?.apiKey,
    fetch: recordingFetch(name, setting.requests, setting.sinceStart) as typeof fetch,
  });
  const messages: string[] = [];
  const stopping = new AbortController();
  let cursor: string | undefined;
  let fromId: bigint | undefined;
  let toId = -1n;
  let gaps = 0;
  let connections = 0;
  const failures: string[] = [];

  const take = (message: StreamMessage | StreamSignal) => {
    if (message.event === 'ready') connections += 1;
    if (message.event === 'gap') gaps += 1;
    const label = labelOf(message);
    if (label !== null) messages.push(label);
    if (!('id' in message) || message.id === undefined) return;
    cursor = message.id;
    toId = idOf(message.id);
    // Nothing comes before the first heartbeat of a stream that begins at the present.
    fromId ??= label === null ? toId : toId - 1n;
  };

  const follow = async () => {
    const parameters = { topics: TOPICS, ...(cursor === undefined ? {} : { cursor }) };
    const leaving = AbortSignal.timeout(between(random, ...STAYS_MS));
    const signal = AbortSignal.any([stopping.signal, leaving]);
    const streaming = { signal, heartbeats: true } as const;
    const opened: AsyncIterable<StreamMessage | StreamSignal | { event: 'refused' }> =
      transport === 'events'
        ? client.stream(parameters, streaming)
        : client.topicStream(parameters, streaming);
    try {
      for await (const message of opened) if (message.event !== 'refused') take(message);
    } catch (error) {
      // It left, or the package says why the stream ended: the reader is patient.
      if (!signal.aborted && !isLaunchwireError(error)) failures.push(String(error));
    }
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await follow();
      await wait(REOPEN_MS, stopping.signal);
    }
  })();
  return {
    history: () => ({
      name,
      accountId: credentials?.accountId ?? null,
      fromId: fromId ?? -1n,
      toId,
      messages,
      gaps,
      connections,
      failures,
    }),
    hasReached: (id) => toId >= id,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function labelOf(message: StreamMessage | StreamSignal): string | null {
  if ('snapshot' in message && message.snapshot === true) return null;
  if (message.event === 'trade') return `trade ${message.data.id}`;
  if (message.event === 'trade_reverted') return `trade_reverted ${message.data.tradeId}`;
  if (message.event === 'event') return `event ${message.data.id}`;
  return null;
}

/** A cursor ends with the id of the log. */
function idOf(cursor: string): bigint {
  return BigInt(cursor.split('.').at(-1) ?? '-1');
}
