import type { Exchange } from './exchange.ts';
import type { RateDecision } from './gcra.ts';
import type { Reply, SerialisedReply } from './operation.ts';

/** 200 with validators, or 304 when the client has these bytes already. */
export function publicResponse(
  exchange: Exchange,
  rate: RateDecision,
  reply: Reply | SerialisedReply,
): Response {
  const { context, operation, templates } = exchange;
  const { text, etag } = 'text' in reply ? reply : serialise(reply);
  const ifNoneMatch = context.request.headers.get('if-none-match');
  if (ifNoneMatch !== null && matchesTag(ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers: templates.notModified.of(context, rate, etag) });
  }
  exchange.sent = text;
  const headers = templates.publicSuccess.of(context, rate, etag);
  return new Response(text, { status: operation.successStatus, headers });
}

/** Serialises a public reply with its strong ETag. */
export function serialise({ body }: Reply): SerialisedReply {
  const text = JSON.stringify(body);
  return { text, etag: strongTag(text) };
}

/** A strong ETag: equal exactly when the bytes are equal (128 bits of SHA-256). */
function strongTag(text: string): string {
  return `"${new Bun.CryptoHasher('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** `If-None-Match` against the current ETag: `*`, lists and weak forms match (RFC 9110 section 13.1.2). */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
