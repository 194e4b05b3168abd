import { isCacheable, isIdempotent, type RouteDefinition } from '../../http/route.ts';
import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';
import type { JsonSchema } from '../json-schema.ts';

interface Header {
  description: string;
  schema: JsonSchema;
}

const digits: JsonSchema = { type: 'string', pattern: '^[0-9]+$' };
const quoted: JsonSchema = { type: 'string', pattern: '^"[^"]+"$' };

/** Response headers (contract/responses#headers, contract/errors#headers) by name, described once. */
const headers = {
  'X-Request-Id': {
    description: 'Identifies this request; name it to support.',
    schema: { type: 'string', pattern: '^req_[0-9a-f]{32}$' },
  },
  'X-Service-Api-Version': {
    description: 'Major version of the contract.',
    schema: { type: 'string', enum: ['2'] },
  },
  'X-Duration-Ms': { description: 'Whole milliseconds the service took.', schema: digits },
  traceparent: {
    description: "W3C trace context: the caller's trace id when it sent a valid one, with a new span id.",
    schema: { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' },
  },
  'X-RateLimit-Policy': {
    description: 'Name of the rate policy that counted this request.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Requests of the whole budget.', schema: digits },
  'X-RateLimit-Remaining': { description: 'Requests left right now.', schema: digits },
  'X-RateLimit-Reset': { description: 'Seconds until the budget is full again.', schema: digits },
  // Their ends are open: the draft allows further parameters and items.
  'RateLimit-Policy': {
    description:
      'The rate policy as a List of RFC 9651 (draft-ietf-httpapi-ratelimit-headers-11): its name, requests `q` of the whole budget, seconds `w` in which it refills.',
    schema: { type: 'string', pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+' },
  },
  RateLimit: {
    description:
      'What is left under the rate policy, as a List of RFC 9651 (draft-ietf-httpapi-ratelimit-headers-11): its name, requests `r` left right now, seconds `t` until there is one more (0 when the budget is full).',
    schema: { type: 'string', pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+' },
  },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: digits },
  'Cache-Control': {
    description: 'Public and bounded on anonymous reads; `private, no-store` on everything else.',
    schema: { type: 'string' },
  },
  Vary: {
    description: 'Request headers that select this response among those of the URL.',
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'Strong validator: for `If-None-Match` on anonymous reads, for `If-Match` on versioned records.',
    schema: quoted,
  },
  Location: { description: 'Path of the record that was created or changed.', schema: { type: 'string' } },
  'Preference-Applied': {
    description: 'The preference that was honoured; absent when there was none, or no room to wait.',
    schema: { type: 'string', pattern: '^wait=([1-9]|1[0-9]|2[0-5])$' },
  },
  'Launchwire-Ignored': {
    description:
      'Query parameters that the operation does not know and ignored, each with the `nearest` known name where there is one: a List of RFC 9651. Absent when nothing was ignored.',
    schema: { type: 'string', pattern: '^[ -~]{1,1024}$' },
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored response of an earlier attempt with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'The required credential, and `error="invalid_token"` when one was refused.',
    schema: { type: 'string' },
  },
  'X-Content-Type-Options': {
    description: 'The body has the type in `Content-Type`.',
    schema: { type: 'string', enum: ['nosniff'] },
  },
  'Access-Control-Allow-Origin': {
    description: 'Browsers of every origin may read this response.',
    schema: { type: 'string', enum: ['*'] },
  },
} as const satisfies Record<string, Header>;

/** Response headers of an API with these rate policies. */
export function responseHeaders(policies: readonly string[]): Readonly<Record<ResponseHeader, Header>> {
  const policy = headers['X-RateLimit-Policy'];
  return { ...headers, 'X-RateLimit-Policy': { ...policy, schema: { ...policy.schema, enum: policies } } };
}

type ResponseHeader = keyof typeof headers;

const always: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-Service-Api-Version',
  'X-Duration-Ms',
  'traceparent',
  'X-RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Cache-Control',
  'X-Content-Type-Options',
];

/** Statuses and codes whose responses carry `Retry-After` (contract/responses#retry-after). */
const WAITING_STATUSES: readonly number[] = [429, 503];
const WAITING_CODES: readonly ProblemCode[] = ['idempotency_request_in_progress', 'idempotency_key_reused'];

/** Headers of an operation's success. */
export function successHeaders(operation: RouteDefinition) {
  const isMutation = isIdempotent(operation);
  return headerReferences([
    ...always,
    ...visibility(operation),
    ...(isCacheable(operation) ? (['ETag'] as const) : []),
    ...(operation.responseHeaders ?? []),
    ...(isMutation ? (['Idempotent-Replayed'] as const) : []),
    ...(operation.refusesUnknownQuery === true ? [] : (['Launchwire-Ignored'] as const)),
  ]);
}

/** Headers of a 304 response. */
export function notModifiedHeaders({ isWaitable }: { isWaitable: boolean }) {
  const ofWaiting = isWaitable ? (['Vary', 'Preference-Applied'] as const) : [];
  return headerReferences([...always, 'Access-Control-Allow-Origin', 'ETag', ...ofWaiting]);
}

/** Headers of an operation's problems with one status. */
export function problemHeaders(operation: RouteDefinition, codes: readonly ProblemCode[]) {
  const waits = codes.some(
    (code) => WAITING_STATUSES.includes(problemTable[code].status) || WAITING_CODES.includes(code),
  );
  const cors = operation.auth === 'anonymous' ? (['Access-Control-Allow-Origin'] as const) : [];
  const isChallenge = codes.some((code) => problemTable[code].status === 401);
  return headerReferences([
    ...always,
    'Vary',
    ...cors,
    ...(waits ? (['Retry-After'] as const) : []),
    ...(isChallenge ? (['WWW-Authenticate'] as const) : []),
  ]);
}

function visibility({ auth, waitable }: RouteDefinition): ResponseHeader[] {
  if (auth !== 'anonymous') return ['Vary'];
  return waitable === true ? ['Access-Control-Allow-Origin', 'Vary'] : ['Access-Control-Allow-Origin'];
}

function headerReferences(names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
