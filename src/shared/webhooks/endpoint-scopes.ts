import { eventScopes as scopeByEventType } from '../events/catalogue.ts';
import { requireScopes } from '../require-scopes.ts';

const DETAIL = 'The endpoint receives events that this API key may not read.';

/** Who acts on an endpoint. */
export interface EndpointCaller {
  /** Whose the endpoint must be. */
  accountId: string;
  /** Scopes of the key; null for an operator, who needs none. */
  scopes: readonly string[] | null;
}

/**
 * Whoever decides where the events of an endpoint go, what they are signed with, or that they are sent again could read them: that takes
 * the scopes which the endpoint has (contract/webhooks#needed-scopes). Throws `insufficient_scope` with those that are missing.
 *
 * @param eventScopes of the endpoint; null: all, for endpoints that are older than the column
 */
export function requireEndpointScopes(
  { scopes }: Pick<EndpointCaller, 'scopes'>,
  eventScopes: readonly string[] | null,
): void {
  if (scopes === null) return;
  requireScopes(scopes, eventScopes ?? [...new Set(scopeByEventType.values())], DETAIL);
}
