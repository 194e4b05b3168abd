import type { RateLimit, RatePolicyName } from '../shared/rate-policies.ts';

/** Addresses of this deployment's documentation. */
export interface DocumentationOptions {
  /** Origin (and path prefix) that clients see, without a final slash. */
  publicUrl: string;
  /** Base of `type` URIs and event schemas; this service's own pages unless configured otherwise. */
  docsUrl: string;
}

/** Facts about this deployment on the pages, besides the addresses. */
export interface SiteOptions extends DocumentationOptions {
  /** The limit of every rate policy of this deployment. */
  rateLimits: Readonly<Record<RatePolicyName, RateLimit>>;
}
