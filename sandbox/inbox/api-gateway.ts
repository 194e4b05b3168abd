import { pathOf, queryOf } from '../../src/http/request-address.ts';

/** Paths that the page may read with the sandbox's key. The key never reaches the browser. */
const READS =
  /^\/(?:tokens|transaction-intents|operations|stream|launch-configs(?:\/[a-z0-9-]+\/quote)?|launches\/[^/]+|orders(?:\/[^/]+)?|tokens\/[^/]+(?:\/(?:market|candles|trades|holders))?|wallets\/[^/]+\/(?:trades|positions)|webhook-endpoints(?:\/[^/]+(?:\/deliveries)?)?|events\/[^/]+|webhook-deliveries\/[^/]+\/attempts)$/;
const SENDS_AGAIN = /^\/webhook-deliveries\/[^/]+\/(?:replays|retries)$/;
const UPLOADS = /^\/images$/;
const STORED_IMAGE = /^\/images\/[0-9a-f]{64}$/;
const PREFIX = '/api';
/** Headers that are passed on. */
const REQUEST_HEADERS = [
  'accept',
  'cache-control',
  'content-type',
  'last-event-id',
  'idempotency-key',
  'if-none-match',
];
const RESPONSE_HEADERS = ['content-type', 'retry-after', 'etag', 'x-request-id'];
/** An image never changes, so browsers may keep it. */
const IMAGE_HEADERS = ['content-type', 'etag', 'cache-control'];

export interface ApiGatewayOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: Record<string, string>;
}

/**
 * Passes a request of the page on to the api: reads, the stream, pictures that are uploaded, and requests to send a delivery
 * again. Null for other paths of the inbox; 404 for other operations of the api, 403 for a change that another site
 * requests, 502 without the api.
 */
export async function passOn(
  request: Request,
  { baseUrl, apiKey, headers }: ApiGatewayOptions,
): Promise<Response | null> {
  const pathname = pathOf(request);
  if (!pathname.startsWith(`${PREFIX}/`)) return null;
  const path = pathname.slice(PREFIX.length);
  const isRead = request.method === 'GET' && READS.test(path);
  const isUpload = request.method === 'POST' && UPLOADS.test(path);
  const sendsAgain = request.method === 'POST' && SENDS_AGAIN.test(path);
  if (!isRead && !isUpload && !sendsAgain) return new Response(null, { status: 404, headers });
  if (!isRead && !isOfThisOrigin(request)) return new Response(null, { status: 403, headers });
  try {
    const response = await fetch(`${baseUrl}${path}?${queryOf(request)}`, {
      method: request.method,
      headers: { ...picked(request.headers, REQUEST_HEADERS), Authorization: `Bearer ${apiKey}` },
      ...(isUpload && { body: await request.arrayBuffer() }),
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

/**
 * Whether a page of this server sent the request. A page of another origin can send a POST to a server on loopback, but it
 * cannot forge its `Origin`.
 */
export function isOfThisOrigin({ headers }: Request): boolean {
  return headers.get('origin') === `http://${headers.get('host')}`;
}

/**
 * A picture that the deployment stores, for the page, whose content security policy loads nothing from other origins. Null
 * for other paths, 502 without the api.
 */
export async function passImageOn(
  request: Request,
  { baseUrl, headers }: Omit<ApiGatewayOptions, 'apiKey'>,
): Promise<Response | null> {
  const pathname = pathOf(request);
  if (request.method !== 'GET' || !STORED_IMAGE.test(pathname)) return null;
  try {
    const response = await fetch(new URL(pathname, baseUrl), {
      headers: picked(request.headers, ['if-none-match']),
      signal: request.signal,
      redirect: 'manual',
    });
    return new Response(response.body, {
      status: response.status,
      headers: { ...headers, ...picked(response.headers, IMAGE_HEADERS) },
    });
  } catch {
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
