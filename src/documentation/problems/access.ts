import type { AreaExplanations } from './explanation.ts';

/** Routes, credentials, limits. */
export const accessExplanations = {
  not_found: {
    meaning: 'No operation has this path.',
    when: [
      'The path is misspelt, lacks `/api/v2`, or ends in a slash.',
      'A path parameter is empty, so that two slashes follow each other.',
      'A client still asks for another version; there is only version 2.',
    ],
    action:
      'Compare the path with the API reference. A record that does not exist has a code of its own, such as `token_not_found`.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not for this method.',
    when: ['A GET is sent where only POST is served, or the other way round.'],
    action: 'Use one of the methods in the `Allow` header.',
  },
  invalid_api_key: {
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
    meaning: 'The key is valid, but lacks a scope that this request needs.',
    when: [
      'The key was created with fewer scopes than the operation lists.',
      'It changes or rotates a webhook endpoint, or sends its deliveries again, and lacks a read scope of the key that created the endpoint.',
    ],
    action:
      'Create a key with the scopes in `context.requiredScopes`. Scopes of an existing key cannot be widened.',
    context: {
      requiredScopes: { meaning: 'scopes the request needs, all of them', example: ['webhooks:write'] },
      missingScopes: { meaning: 'those that this key lacks', example: ['webhooks:write'] },
    },
  },
  api_key_not_found: {
    meaning: 'No API key of your account has this id.',
    when: ['The id is mistyped: it is the third part of the key.', 'The key belongs to another account.'],
    action: 'List the keys of your account with `listApiKeys`.',
  },
  rate_limit_exceeded: {
    meaning: 'The budget of this rate policy is used up. Nothing was processed.',
    when: [
      'A key (or, without a key, a client address) sent more requests than the policy in `X-RateLimit-Policy` allows.',
      'A client address presented too many invalid keys.',
    ],
    action:
      'Wait `Retry-After` seconds. Then slow down: `X-RateLimit-Remaining` and `X-RateLimit-Reset` show how much is left. Conditional requests and webhooks replace most polling. Every policy has its own budget, so reading never uses up what submissions need.',
  },
  rate_limit_unavailable: {
    meaning:
      'The shared rate limiter did not respond, and requests are not let through uncounted. Nothing was processed.',
    when: ['The store behind the limiter is down or restarting.'],
    action:
      'Retry after `Retry-After` seconds with growing, jittered pauses. Mutations keep their `Idempotency-Key`.',
  },
  identity_unavailable: {
    meaning: 'The store of API keys cannot be reached, so the key cannot be identified.',
    when: ['The database is down or restarting.'],
    action:
      'Retry with growing, jittered pauses. The key itself may well be fine; do not replace it because of this.',
  },
  stream_limit_reached: {
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
} as const satisfies AreaExplanations;
