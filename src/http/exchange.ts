import { type RatePolicyName, unmatchedPolicy } from '../shared/rate-policies.ts';
import type { Principal } from './access/authentication.ts';
import type { RateDecision } from './limits/gcra.ts';
import type { RequestContext } from './request-context.ts';
import type { HeaderTemplates } from './responses/response-headers.ts';
import type { RouteDefinition } from './route.ts';

/** A request on its way through the steps of the pipeline, and what they have found out about it. */
export interface Exchange<Matched extends RouteDefinition | undefined = RouteDefinition> {
  context: RequestContext;
  definition: Matched;
  templates: HeaderTemplates;
  /** The policy that counts this request. */
  ratePolicy: RatePolicyName;
  /** Set once the limiter has run. */
  rate: RateDecision | undefined;
  /** Set once the key is known, also when its scopes do not suffice. */
  principal: Principal | undefined;
  /** Time for which the client preferred to wait: no part of how long the service took. */
  heldMs: number;
  /** What was put into the response, for the access log. */
  sent: string | Uint8Array | null;
  /** The response is that of an earlier request with the same idempotency key. */
  replayed: boolean;
}

/** As above; `definition` is undefined where no route matched. */
export type AnyExchange = Exchange<RouteDefinition | undefined>;

/** An exchange of which nothing is known yet. */
export function openExchange<Matched extends RouteDefinition | undefined>(
  context: RequestContext,
  definition: Matched,
  templates: HeaderTemplates,
): Exchange<Matched> {
  return {
    context,
    definition,
    templates,
    ratePolicy: definition?.ratePolicy ?? unmatchedPolicy,
    rate: undefined,
    principal: undefined,
    heldMs: 0,
    sent: null,
    replayed: false,
  };
}
