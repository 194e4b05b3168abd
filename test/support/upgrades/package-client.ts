import { createClient, isProblemOf, type Launchwire } from '../../../packages/client/src/launchwire.ts';
import type { Database } from '../../../src/db/client.ts';
import type { TestKey } from '../api/api-keys.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';

/** Only its place in a URL counts: each request goes to an api that is ready. */
const BASE_URL = 'http://api.test';

/** A program of a customer that uses the npm package: two streams, the list of events, and calls. */
export interface PackageClient {
  /** Errors of the calls and streams that the package gave up. */
  readonly failures: string[];
  /** Streams that an api has opened: the first two, and one each time that the package connected again. */
  streamsOpened(): number;
  readonly gaps: string[];
  /** Ids of trades, and `id status` of intents, in the order of the stream. */
  readonly trades: string[];
  readonly intents: string[];
  /** Ids of the events that the list has shown so far. */
  readonly events: string[];
  /** One round of calls; continues the list of events. */
  call(): Promise<void>;
  /** Whether the api on this port shows this event. */
  canRead(eventId: string, atPort: number): Promise<boolean>;
  /** Waits until both streams have shown everything that the database holds. */
  catchUp(db: Database): Promise<void>;
  stop(): Promise<void>;
}

export interface PackageClientOptions {
  /** The port of an api that is ready, for the next request. */
  port: () => number;
  key: TestKey;
  /** Receiver of the endpoints that it makes and deletes. */
  receiverUrl: string;
}

export async function startPackageClient({
  port,
  key,
  receiverUrl,
}: PackageClientOptions): Promise<PackageClient> {
  let streamsOpened = 0;
  const routedTo = (portNow: () => number) => async (input: string | URL | Request, init?: RequestInit) => {
    const url = String(input instanceof Request ? input.url : input);
    const response = await globalThis.fetch(url.replace(BASE_URL, `http://127.0.0.1:${portNow()}`), init);
    if (url.includes('/stream?') && response.ok) streamsOpened += 1;
    return response;
  };
  const clientOf = (portNow: () => number) =>
    createClient({
      baseUrl: BASE_URL,
      apiKey: key.header.authorization.replace('Bearer ', ''),
      fetch: Object.assign(routedTo(portNow), { preconnect: globalThis.fetch.preconnect }),
    });
  const client = clientOf(port);
  const stop = new AbortController();
  const seen = { trades: [] as string[], intents: [] as string[], gaps: [] as string[] };
  const failures: string[] = [];
  const following = (['trades', 'intents'] as const).map((topic) =>
    follow(client, topic, seen, stop.signal).catch((error: Error) => {
      if (!stop.signal.aborted) failures.push(`${topic}: ${error.message}`);
    }),
  );
  const end = async () => {
    stop.abort();
    await Promise.all(following);
  };
  atEnd(end);
  const events: string[] = [];
  let cursor: string | undefined;
  let rounds = 0;
  await eventually('both streams are open', async () => streamsOpened >= following.length);
  return {
    failures,
    events,
    ...seen,
    streamsOpened: () => streamsOpened,
    async call() {
      rounds += 1;
      try {
        await client.listTokens({ limit: 5 });
        const made = await client.createWebhookEndpoint({ url: `${receiverUrl}?round=${rounds}` });
        await client.deleteWebhookEndpoint({ endpointId: made.id });
        for (;;) {
          const page = await client.listEvents({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
          events.push(...page.data.map(({ id }) => id));
          cursor = page.page.nextCursor ?? cursor;
          if (!page.page.hasMore) break;
        }
      } catch (error) {
        failures.push(String(error));
      }
    },
    canRead: (eventId, atPort) =>
      clientOf(() => atPort)
        .getEvent({ eventId })
        .then(
          () => true,
          (error: unknown) => {
            if (isProblemOf('getEvent', error) && error.code === 'event_not_found') return false;
            throw error;
          },
        ),
    async catchUp(db) {
      await eventually('the stream has every trade', async () => {
        const [row] = await db<{ count: number }[]>`select count(*)::int as count from trades`;
        return new Set(seen.trades).size >= (row?.count ?? 0);
      });
      await eventually('the stream has the end of every intent', async () => {
        const rows = await db<{ id: string; status: string }[]>`
          select id, status from transaction_intents
          where account_id = ${key.accountId} and completed_at is not null`;
        const shown = new Set(seen.intents);
        return rows.every(({ id, status }) => shown.has(`${id} ${status}`));
      });
    },
    stop: end,
  };
}

async function follow(
  client: Launchwire,
  topic: 'trades' | 'intents',
  seen: { trades: string[]; intents: string[]; gaps: string[] },
  signal: AbortSignal,
): Promise<void> {
  for await (const message of client.stream({ topics: [topic] }, { signal })) {
    if (message.event === 'trade' && message.snapshot !== true) seen.trades.push(message.data.id);
    if (message.event === 'intent' && message.snapshot !== true)
      seen.intents.push(`${message.data.id} ${message.data.status}`);
    if (message.event === 'gap') seen.gaps.push(JSON.stringify(message));
  }
}
