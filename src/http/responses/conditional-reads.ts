import type { Exchange } from '../exchange.ts';
import type { RateDecision } from '../limits/gcra.ts';
import type { Reply, SerialisedReply, ServedFile } from '../route.ts';
import { requestHeaders } from './response-headers.ts';

/** Responds 200 with validators, or 304 when the client has these bytes already. */
export function publicResponse(
  exchange: Exchange,
  rate: RateDecision,
  reply: Reply | SerialisedReply,
  waitedSeconds: number | null = null,
): Response {
  const { context, definition, templates } = exchange;
  const { text, etag } = 'text' in reply ? reply : serialise(reply);
  const ifNoneMatch = context.request.headers.get('if-none-match');
  if (ifNoneMatch !== null && matchesTag(ifNoneMatch, etag)) {
    const headers = templates.notModified.withTag(context, rate, etag);
    return withPreference(new Response(null, { status: 304, headers }), waitedSeconds);
  }
  exchange.sent = text;
  const headers = templates.success.withTag(context, rate, etag);
  return withPreference(new Response(text, { status: definition.successStatus, headers }), waitedSeconds);
}

/** No browser runs such a file as a page, whatever its bytes hold. */
const FILE_POLICY = "default-src 'none'; sandbox";

/** Responds 200 with the bytes of a file that never changes, or 304 when the client has them already. */
/** True when the client names the file in `If-None-Match`: it gets none of its bytes. */
export function hasFile({ headers }: Request, etag: string): boolean {
  const ifNoneMatch = headers.get('if-none-match');
  return ifNoneMatch !== null && matchesTag(ifNoneMatch, etag);
}

export function fileResponse(
  exchange: Exchange,
  rate: RateDecision,
  { body, mediaType, etag }: ServedFile,
): Response {
  const { context, definition, templates } = exchange;
  const headers = requestHeaders(templates.base, context, rate);
  headers.set('X-RateLimit-Policy', definition.ratePolicy);
  headers.set('Cache-Control', `public, max-age=${definition.maxAgeSeconds ?? 0}, immutable`);
  headers.set('ETag', etag);
  headers.set('Content-Security-Policy', FILE_POLICY);
  if (hasFile(context.request, etag)) return new Response(null, { status: 304, headers });
  headers.set('Content-Type', mediaType);
  const sent =
    body instanceof Blob ? body : Buffer.from(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
  return new Response(sent, { status: definition.successStatus, headers });
}

/**
 * A response to a client that waited is for that client alone: no cache may keep it or hold other clients for
 * it.
 */
function withPreference(response: Response, waitedSeconds: number | null): Response {
  if (waitedSeconds === null) return response;
  response.headers.set('Cache-Control', 'private, no-store');
  response.headers.set('Preference-Applied', `wait=${waitedSeconds}`);
  return response;
}

/** The `asOf` of a body, which moves with every proof (contract/market-data#candle-proven-time), in JSON. */
const AS_OF = /"asOf":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;

/**
 * Serialises a public reply with its strong ETag: equal exactly when the bytes are equal. The ETag is the
 * state and, after a dot, the `asOf` of a body that has one: time alone does not wake a waiting client.
 */
export function serialise<Body>({ body }: Reply<Body>): SerialisedReply<Body> {
  const text = JSON.stringify(body);
  const asOf = hasAsOf(body) ? AS_OF.exec(text) : null;
  if (asOf === null) {
    const state = digest(text);
    return { text, etag: `"${state}"`, state };
  }
  const state = digest(text.slice(0, asOf.index), text.slice(asOf.index + asOf[0].length));
  const asOfMs = Date.parse(asOf[1] ?? '');
  return { text, etag: `"${state}.${asOfMs}"`, state, asOfMs };
}

function hasAsOf(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'asOf' in body;
}

/** 128 bits of SHA-256. */
function digest(...parts: string[]): string {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const part of parts) hasher.update(part);
  return hasher.digest('base64url').slice(0, 22);
}

/** True when a tag in `If-None-Match` has this state, whatever its `asOf`. `*` names no state. */
export function namesState(ifNoneMatch: string, state: string): boolean {
  return ifNoneMatch
    .split(',')
    .some((candidate) => /^(?:W\/)?"([\w-]+)(?:\.\d+)?"$/.exec(candidate.trim())?.[1] === state);
}

/**
 * Compares `If-None-Match` with the current ETag: `*`, lists and weak forms match (RFC 9110 section 13.1.2).
 */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
