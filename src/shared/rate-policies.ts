/** `limit` requests per `windowSeconds`; all of them may come at once (contract/rate-limits#policies). */
export interface RateLimit {
  limit: number;
  windowSeconds: number;
}

/**
 * Rate policies and their defaults (contract/endpoints#rate-policies); `RATE_LIMITS` replaces them by name.
 */
export const ratePolicies = {
  'public-read-cheap': { limit: 6_000, windowSeconds: 60 },
  'public-read-expensive': { limit: 600, windowSeconds: 60 },
  'api-key-read': { limit: 6_000, windowSeconds: 60 },
  'operation-read': { limit: 6_000, windowSeconds: 60 },
  'prediction-submit': { limit: 60, windowSeconds: 60 },
  'transaction-submit': { limit: 600, windowSeconds: 60 },
  'swap-prepare': { limit: 600, windowSeconds: 60 },
  'image-upload': { limit: 30, windowSeconds: 60 },
  'webhook-admin': { limit: 120, windowSeconds: 60 },
  'report-read': { limit: 60, windowSeconds: 60 },
  'stream-open': { limit: 60, windowSeconds: 60 },
  'stream-subscribe': { limit: 1_200, windowSeconds: 60 },
} as const satisfies Record<string, RateLimit>;

/**
 * Rate policies of the internal API, which its service keys count against
 * (contract/internal-api#same-pipeline).
 */
export const internalRatePolicies = {
  'service-key': { limit: 6_000, windowSeconds: 60 },
} as const satisfies Record<string, RateLimit>;

export type RatePolicyName = keyof typeof ratePolicies | keyof typeof internalRatePolicies;

/** The default limit of each policy. */
export const defaultRateLimits: Readonly<Record<RatePolicyName, RateLimit>> = {
  ...ratePolicies,
  ...internalRatePolicies,
};

/**
 * The policy of requests that match no operation: they cost an anonymous client the same as the cheapest
 * read.
 */
export const unmatchedPolicy: RatePolicyName = 'public-read-cheap';

/**
 * Failed authentications per client address (contract/rate-limits#failed-authentication). It belongs to no
 * operation: it bounds how fast keys can be guessed and how many guesses reach Postgres.
 */
export const authenticationFailures: RateLimit = { limit: 120, windowSeconds: 60 };
