import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type TObject, Type } from '@sinclair/typebox';

/**
 * What all peers do besides routing, shared so that they differ only in framework and runtime. Runs on Node and Bun.
 */
export const addressPattern = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';

/**
 * Headers that every response of the measured operation has alike, captured from the product: peers send what it sends.
 */
export const constantHeaders = JSON.parse(process.env.BENCH_HEADERS ?? '{}') as Readonly<
  Record<string, string>
>;
const LIMIT = 100_000_000;
const WINDOW_MS = 60_000;

interface Window {
  endsAtMs: number;
  used: number;
}

const windows = new Map<string, Window>();
const random = Buffer.alloc(48);

/** One more request of a client in its fixed window; null when it has none left. */
export function takeFromLimit(client: string): Record<string, string> | null {
  const nowMs = performance.now();
  let window = windows.get(client);
  if (window === undefined || window.endsAtMs <= nowMs) {
    window = { endsAtMs: nowMs + WINDOW_MS, used: 0 };
    windows.set(client, window);
  }
  window.used += 1;
  if (window.used > LIMIT) return null;
  const remaining = LIMIT - window.used;
  const resetSeconds = Math.ceil((window.endsAtMs - nowMs) / 1000);
  return {
    'X-RateLimit-Limit': String(LIMIT),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
    RateLimit: `"${constantHeaders['x-ratelimit-policy']}";r=${remaining};t=${resetSeconds}`,
  };
}

/** The headers of one response that differ in each. */
export function changingHeaders(rate: Record<string, string>, startedAtMs: number): Record<string, string> {
  const hex = randomFillSync(random).toString('hex');
  return {
    'X-Request-Id': `req_${hex.slice(0, 32)}`,
    'X-Duration-Ms': String(Math.floor(performance.now() - startedAtMs)),
    traceparent: `00-${hex.slice(32, 64)}-${hex.slice(64, 80)}-01`,
    ...rate,
  };
}

/** The headers of one response as one plain object, which is usual in the frameworks. */
export function responseHeaders(rate: Record<string, string>, startedAtMs: number): Record<string, string> {
  return { ...constantHeaders, ...changingHeaders(rate, startedAtMs) };
}

export interface CachedReply {
  text: string;
  etag: string;
}

/** Serialised responses by path and query, like those of a cache in front of the database. */
export function loadCachedReplies(): ReadonlyMap<string, CachedReply> {
  const file = process.env.BENCH_REPLIES;
  if (file === undefined) return new Map();
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, CachedReply>));
}

/** One public read: its route, schemas and cache key. */
export interface PublicRead {
  path: string;
  params: TObject | undefined;
  query: TObject | undefined;
  cacheKey(params: Record<string, string>, query: Record<string, unknown>): string;
}

const mintParams = Type.Object({ mint: Type.String({ pattern: addressPattern }) });
const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));
const instant = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$' });

export const publicReads: readonly PublicRead[] = [
  {
    path: '/api/v2/tokens/:mint',
    params: mintParams,
    query: undefined,
    cacheKey: ({ mint }) => `/api/v2/tokens/${mint}`,
  },
  {
    path: '/api/v2/tokens/:mint/market',
    params: mintParams,
    query: undefined,
    cacheKey: ({ mint }) => `/api/v2/tokens/${mint}/market`,
  },
  {
    path: '/api/v2/tokens',
    params: undefined,
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
      cursor: Type.Optional(Type.String({ minLength: 16, maxLength: 2_048 })),
      status: Type.Optional(oneOf(['upcoming', 'bonding', 'graduated'])),
      launchType: Type.Optional(oneOf(['dbc', 'presale'])),
    }),
    cacheKey: (_params, { limit, status = '' }) => `/api/v2/tokens?limit=${limit}&status=${status}`,
  },
  {
    path: '/api/v2/tokens/:mint/candles',
    params: mintParams,
    query: Type.Object({
      interval: oneOf(['1m', '5m', '15m', '1h', '4h', '1d']),
      from: instant,
      to: instant,
    }),
    cacheKey: ({ mint }, { interval, from, to }) =>
      `/api/v2/tokens/${mint}/candles?interval=${interval}&from=${from}&to=${to}`,
  },
];
