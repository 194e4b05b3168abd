import type { RateDecision } from '../limits/gcra.ts';

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11 (contract/rate-limits#fields): Lists of RFC 9651 with one
 * Item, a String. No character in the name of a policy needs an escape.
 */
export function policyField(policy: string, { limit, windowSeconds }: RateDecision): string {
  return `"${policy}";q=${limit};w=${windowSeconds}`;
}

export function limitField(policy: string, { remaining, nextSeconds }: RateDecision): string {
  return `"${policy}";r=${remaining};t=${nextSeconds}`;
}
