import { problemArea } from './problem-area.ts';

export const accessProblems = problemArea('access', 'Access and limits', {
  not_found: {
    status: 404,
    title: 'Not found',
    detail: 'No route matches this path.',
    when: [
      'The path is misspelt, lacks `/api/v2`, or ends in a slash.',
      'A path parameter is empty, so that two slashes follow each other.',
      'A client still asks for another version; there is only version 2.',
    ],
    action:
      'Compare the path with the API reference. A record that does not exist has a code of its own, such as `token_not_found`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This path does not support the method.',
    when: ['A GET is sent where only POST is served, or the other way round.'],
    action: 'Use one of the methods in the `Allow` header.',
  },
  request_body_too_large: {
    status: 413,
    title: 'Request body too large',
    detail: 'The body is larger than its operation takes.',
    meaning:
      'The body is larger than the operation takes: 65,536 bytes, an image 5,242,880. It was not read to its end.',
    when: [
      '`Content-Length` announces more than the limit.',
      'More than the limit arrived in chunks. They are counted only for callers whose key and rate limit admit them: others get 401, 403 or 429.',
    ],
    action: 'Send less. No operation needs a body of that size; a signed transaction has about 5 kilobytes.',
  },
  invalid_api_key: {
    status: 401,
    title: 'Invalid API key',
    detail: 'The API key is missing, malformed, unknown, expired, revoked or of another environment.',
    meaning:
      'The request carries no key that this deployment accepts. `detail` names the cause. Only a caller with the secret of a key learns that it is revoked or expired: an unknown key and a wrong secret have the same text, so that guessing keys reveals nothing.',
    when: [
      'The `Authorization` header is missing, sent twice, or does not read `Bearer <key>`.',
      'The key was mistyped, cut off, expired or revoked.',
      'A `lw_test_…` key is used on the live environment, or a `lw_live_…` key on the test environment.',
    ],
    action:
      'Send `Authorization: Bearer <key>` exactly once, and check environment and expiry. Do not retry with the same key: failed attempts are limited per client address and soon return `rate_limit_exceeded`.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    detail: 'The API key does not carry every scope of this operation.',
    when: [
      'The key was created with fewer scopes than the operation lists.',
      'It changes or rotates a webhook endpoint, or sends its deliveries again, and lacks a read scope of the key that created the endpoint.',
    ],
    action:
      'Create a key with the scopes in `context.requiredScopes`. Scopes of an existing key cannot be widened.',
    context: {
      requiredScopes: {
        meaning: 'all scopes that the request needs',
        example: ['webhooks:write'],
      },
      missingScopes: {
        meaning: 'scopes that this key lacks',
        example: ['webhooks:write'],
      },
    },
  },
  rate_limit_exceeded: {
    status: 429,
    title: 'Rate limit exceeded',
    detail: 'Too many requests under this rate policy.',
    meaning: 'The budget of this rate policy is used up. Nothing was processed.',
    when: [
      'A key (or, without a key, a client address) sent more requests than the policy in `X-RateLimit-Policy` allows.',
      'A client address presented too many invalid keys.',
    ],
    action:
      'Wait `Retry-After` seconds. Then slow down: `X-RateLimit-Remaining` and `X-RateLimit-Reset` show how much is left. Conditional requests and webhooks replace most polling. Every policy has its own budget, so reading never uses up what submissions need.',
  },
  stream_limit_reached: {
    status: 429,
    title: 'Too many streams',
    detail: 'The maximum number of streams is open.',
    meaning:
      'The maximum number of streams is open: for this key, for this client address or its network, for all clients without a key, or for the process.',
    when: [
      'A program opens a stream for each topic; one stream takes 100 topics.',
      'Streams are opened again before the service has noticed that the earlier ones were closed.',
      'Many clients without a key share one address, or an IPv6 /48.',
      'Streams without a key have taken all places that are not reserved for keys.',
    ],
    action: 'Close unused streams, combine topics, and try again after `Retry-After`.',
    context: {
      of: {
        meaning: 'owner of the limit: `key`, `address`, `network`, `anonymous` or `process`',
        example: 'key',
      },
      limit: { meaning: 'maximum number of open streams', example: 100 },
    },
  },
  rate_limit_unavailable: {
    status: 503,
    title: 'Rate limiter unavailable',
    detail: 'The rate limiter cannot be reached; the request was not processed.',
    meaning:
      'The shared rate limiter did not respond, and requests are not let through uncounted. Nothing was processed.',
    when: ['The store behind the limiter is down or restarting.'],
    action:
      'Retry after `Retry-After` seconds with growing, jittered pauses. Mutations keep their `Idempotency-Key`.',
  },
});
