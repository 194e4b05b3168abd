/** Paths that the page may read with the sandbox's key. The key never reaches the browser. */
const READS =
  /^\/(?:tokens|transaction-intents|operations|stream|tokens\/[^/]+(?:\/(?:market|candles|trades|holders))?|wallets\/[^/]+\/(?:trades|positions)|webhook-endpoints(?:\/[^/]+(?:\/deliveries)?)?|events\/[^/]+|webhook-deliveries\/[^/]+\/attempts)$/;
const SENDS_AGAIN = /^\/webhook-deliveries\/[^/]+\/(?:replays|retries)$/;
const PREFIX = '/api';
/** Headers that are passed on. */
const REQUEST_HEADERS = ['accept', 'last-event-id', 'idempotency-key', 'if-none-match'];
const RESPONSE_HEADERS = ['content-type', 'retry-after', 'etag', 'x-request-id'];

export interface ApiGatewayOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: Record<string, string>;
}

/**
 * Passes a request of the page on to the api: reads, the stream, and requests to send a delivery again. Null for other paths
 * of the inbox; 404 for other operations of the api, 403 for a change that another site requests, 502 without the api.
 */
export async function passOn(
  request: Request,
  { baseUrl, apiKey, headers }: ApiGatewayOptions,
): Promise<Response | null> {
  const { pathname, search, origin } = new URL(request.url);
  if (!pathname.startsWith(`${PREFIX}/`)) return null;
  const path = pathname.slice(PREFIX.length);
  const isRead = request.method === 'GET' && READS.test(path);
  const sendsAgain = request.method === 'POST' && SENDS_AGAIN.test(path);
  if (!isRead && !sendsAgain) return new Response(null, { status: 404, headers });
  // A page of another origin can send a POST to a server on loopback, but it cannot forge its `Origin`.
  if (sendsAgain && request.headers.get('origin') !== origin)
    return new Response(null, { status: 403, headers });
  try {
    const response = await fetch(`${baseUrl}${path}${search}`, {
      method: request.method,
      headers: { ...picked(request.headers, REQUEST_HEADERS), Authorization: `Bearer ${apiKey}` },
      signal: request.signal,
      redirect: 'manual',
    });
    return new Response(response.body, {
      status: response.status,
      headers: { ...headers, ...picked(response.headers, RESPONSE_HEADERS) },
    });
  } catch {
    // The page shows that the api is away and asks again.
    return new Response(null, { status: 502, headers });
  }
}

function picked(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
