import type { GateClient } from '../shared/gate.ts';
import { type RatePolicyName, unmatchedPolicy } from '../shared/rate-policies.ts';
import type { Principal } from './access/authentication.ts';
import type { BodyRoom } from './bodies/body-budget.ts';
import type { RateDecision } from './limits/gcra.ts';
import type { StoredResponse } from './mutations/idempotency.ts';
import type { RequestContext } from './request-context.ts';
import type { HeaderTemplates } from './responses/response-headers.ts';
import type { RouteDefinition } from './route.ts';

/** One request in the pipeline, with the results of its steps so far. */
export interface Exchange<Matched extends RouteDefinition | undefined = RouteDefinition> {
  context: RequestContext;
  definition: Matched;
  templates: HeaderTemplates;
  ratePolicy: RatePolicyName;
  /** Set once the limiter has run. */
  rate: RateDecision | undefined;
  /** Set once the key is known, even if its scopes do not suffice. */
  principal: Principal | undefined;
  /** Whose work the request is. Set once it is admitted; until then that of all unknown callers together. */
  client: GateClient;
  /** Room of its body, until the response is ready; null for a small body, or none. */
  room: BodyRoom | null;
  /** True when the client prefers to wait and the operation allows it: the response may take longer than others. */
  mayWait: boolean;
  /** Milliseconds that the request was held by its own preference: they are no part of its service time. */
  heldMs: number;
  /**
   * The response of a change that has committed, while the request waits: it gets this one when the wait
   * fails.
   */
  committed: StoredResponse | null;
  /** The sent body, for the access log. */
  sent: string | Uint8Array | null;
  /** True for the stored response of an earlier request with the same idempotency key. */
  replayed: boolean;
}

const UNKNOWN: GateClient = { name: '', isKeyed: false };

/** `definition` is undefined when no route matched. */
export type AnyExchange = Exchange<RouteDefinition | undefined>;

/** Starts the exchange of a request that no step has seen yet. */
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
    client: UNKNOWN,
    room: null,
    mayWait: false,
    heldMs: 0,
    committed: null,
    sent: null,
    replayed: false,
  };
}
