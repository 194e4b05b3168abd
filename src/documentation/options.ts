import type { RateLimit } from '../shared/configuration-rate-limits.ts';
import type { RatePolicyName } from '../shared/rate-policies.ts';

/** Where this deployment's documentation is found. */
export interface DocumentationOptions {
  /** Origin (and path prefix) that clients see, without a slash at the end. */
  publicUrl: string;
  /** Base of `type` URIs and event schemas; this service's own pages unless configured otherwise. */
  docsUrl: string;
}

/** What the pages show of this deployment, beside the addresses. */
export interface SiteOptions extends DocumentationOptions {
  /** What every rate policy allows here. */
  rateLimits: Readonly<Record<RatePolicyName, RateLimit>>;
}
