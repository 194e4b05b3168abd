/** Headers that differ in every response; the ETag depends on the body's `asOf`, the location on what was written. */
const VOLATILE = new Set(['x-request-id', 'traceparent', 'x-duration-ms', 'etag', 'location']);
/** Headers that the server itself writes. */
const BY_SERVER = new Set(['date', 'content-length', 'connection', 'keep-alive']);
/** The headers of the limiter that every server writes from its own count: all but the policy. */
const OF_LIMITER = new Set(['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit']);

export type ResponseHeaders = Readonly<Record<string, string>>;

/** The parts that a constant response has to repeat. */
export function repeatedHeaders(headers: ResponseHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !BY_SERVER.has(name)));
}

/**
 * The headers that all responses of the operation share. The peers send them too, so that they do as much as the
 * product.
 */
export function constantHeaders(headers: ResponseHeaders): Record<string, string> {
  const isConstant = (name: string) => !VOLATILE.has(name) && !OF_LIMITER.has(name);
  return Object.fromEntries(Object.entries(repeatedHeaders(headers)).filter(([name]) => isConstant(name)));
}

/**
 * The first of the product's headers that another server does not send, or sends with another value; undefined when
 * there is none.
 */
export function differingHeader(ours: ResponseHeaders, theirs: ResponseHeaders): string | undefined {
  const constant = constantHeaders(ours);
  return Object.keys(repeatedHeaders(ours)).find((name) => {
    const found = theirs[name];
    return found === undefined || (name in constant && found !== constant[name]);
  });
}
