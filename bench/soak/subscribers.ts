import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export interface SubscriberCounts {
  /** Requests that got a 2xx. */
  accepted: number;
  /** Requests that got a 500 on purpose. */
  refused: number;
  badSignatures: number;
  /** Requests for events that were never published. */
  unknownEvents: number;
}

export interface Subscribers {
  readonly counts: SubscriberCounts;
  urlOf(endpoint: number): string;
  /** Secrets by endpoint, for the verification. */
  useSecrets(secrets: readonly string[]): void;
  /** Announces an event that will be delivered. */
  expect(eventId: string): void;
  /** How many (event, endpoint) pairs arrived at least once. */
  distinct(): number;
  close(): Promise<void>;
}

/** One in this many requests is refused, so that retries are part of the soak. */
const REFUSE_EVERY = 31;

/**
 * All endpoints in one server, which is never killed: its counts are what subscribers received.
 *
 * @param events maximum number of events that will be announced
 */
export function startSubscribers(events: number, endpoints: number): Subscribers {
  const received = new Uint8Array(events * endpoints);
  const places = new Map<string, number>();
  const counts: SubscriberCounts = { accepted: 0, refused: 0, badSignatures: 0, unknownEvents: 0 };
  let verifiers: Webhook[] = [];
  let distinct = 0;
  let requests = 0;

  function accept(eventId: string, endpoint: number): number {
    const event = places.get(eventId);
    if (event === undefined) {
      counts.unknownEvents += 1;
      return 400;
    }
    const place = event * endpoints + endpoint;
    if (received[place] === 0) distinct += 1;
    received[place] = 1;
    counts.accepted += 1;
    return 204;
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const endpoint = Number(new URL(request.url).pathname.slice(1));
      requests += 1;
      if (!isGenuine(verifiers[endpoint], body, request.headers)) {
        counts.badSignatures += 1;
        return new Response(null, { status: 400 });
      }
      if (requests % REFUSE_EVERY === 0) {
        counts.refused += 1;
        return new Response(null, { status: 500 });
      }
      return new Response(null, { status: accept(request.headers.get('webhook-id') ?? '', endpoint) });
    },
  });

  return {
    counts,
    urlOf: (endpoint) => `http://127.0.0.1:${server.port}/${endpoint}`,
    useSecrets(secrets) {
      verifiers = secrets.map((secret) => new Webhook(secret));
    },
    expect: (eventId) => void places.set(eventId, places.size),
    distinct: () => distinct,
    close: () => server.stop(true),
  };
}

function isGenuine(verifier: Webhook | undefined, body: string, headers: Headers): boolean {
  try {
    verifier?.verify(body, Object.fromEntries(headers.entries()), { jsonParse: false });
    return verifier !== undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
