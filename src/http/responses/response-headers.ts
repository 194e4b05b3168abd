import type { RatePolicyName } from '../../shared/rate-policies.ts';
import type { RateDecision } from '../limits/gcra.ts';
import type { RequestContext } from '../request-context.ts';
import type { RouteDefinition } from '../route.ts';
import { limitField, policyField } from './rate-fields.ts';
import { ReusedHeaders } from './reused-headers.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json';

/** Headers that browser code may read on anonymous operations (contract/responses#cors). */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Service-Api-Version',
  'X-Duration-Ms',
  'X-RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'ETag',
  'Preference-Applied',
  'Launchwire-Ignored',
  'traceparent',
].join(', ');

/** Headers that do not depend on the request, made once per operation. */
export interface HeaderTemplates {
  base: Headers;
  success: ReusedHeaders;
  /** For a 304, which has no body. */
  notModified: ReusedHeaders;
}

/** Builds the templates of an operation, or of requests that no route matched. */
export function headerTemplates(definition: RouteDefinition | undefined): HeaderTemplates {
  const base = new Headers({ 'X-Service-Api-Version': '2', 'X-Content-Type-Options': 'nosniff' });
  if (definition?.auth === 'anonymous') openToPages(base);
  const notModified = new Headers(base);
  if (definition !== undefined) notModified.set('X-RateLimit-Policy', definition.ratePolicy);
  if (definition?.auth === 'anonymous') {
    notModified.set('Cache-Control', `public, max-age=${definition.maxAgeSeconds ?? 0}`);
    // A cache must not answer a waiting client with its stored copy.
    if (definition.waitable === true) notModified.set('Vary', 'Prefer');
  } else {
    forbidCaching(notModified);
  }
  const success = new Headers(notModified);
  success.set('Content-Type', JSON_TYPE);
  return {
    base,
    success: new ReusedHeaders(success),
    notModified: new ReusedHeaders(notModified),
  };
}

/** Lets a page of any origin read a response (contract/responses#cors). */
export function openToPages(headers: Headers): void {
  headers.set('Access-Control-Allow-Origin', '*');
  headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
}

/**
 * Copies a template and adds the headers of one request (contract/responses#headers); those of the limiter
 * only when it has run.
 */
export function requestHeaders(
  template: Headers,
  exchange: { context: RequestContext; ratePolicy: RatePolicyName; rate: RateDecision | undefined },
): Headers {
  const { context, ratePolicy, rate } = exchange;
  const headers = new Headers(template);
  headers.set('X-Request-Id', context.requestId);
  headers.set('X-Duration-Ms', Math.floor(performance.now() - context.startedAtMs).toString());
  headers.set('traceparent', context.traceparent);
  if (rate !== undefined) {
    headers.set('X-RateLimit-Policy', ratePolicy);
    headers.set('X-RateLimit-Limit', rate.limit.toString());
    headers.set('X-RateLimit-Remaining', rate.remaining.toString());
    headers.set('X-RateLimit-Reset', rate.resetSeconds.toString());
    headers.set('RateLimit-Policy', policyField(ratePolicy, rate));
    headers.set('RateLimit', limitField(ratePolicy, rate));
  }
  return headers;
}

/** Errors and private responses must not be stored or shared by caches. */
export function forbidCaching(headers: Headers): void {
  headers.set('Cache-Control', 'private, no-store');
  headers.set('Vary', 'Authorization');
}
