import { eventScopes as scopeByEventType } from '../events/catalogue.ts';
import { requireScopes } from '../require-scopes.ts';

const DETAIL = 'The endpoint receives events that this API key may not read.';

export interface EndpointCaller {
  /** The account that must own the endpoint. */
  accountId: string;
  /** Scopes of the key; null for an operator, who needs none. */
  scopes: readonly string[] | null;
}

/**
 * Requires the scopes of an endpoint from a caller who changes its URL or signing keys or sends its events
 * again, and so could read them (contract/webhooks#needed-scopes). Throws `insufficient_scope` with the
 * missing scopes.
 *
 * @param eventScopes of the endpoint; null: all, for endpoints older than the column
 */
export function requireEndpointScopes(
  { scopes }: Pick<EndpointCaller, 'scopes'>,
  eventScopes: readonly string[] | null,
): void {
  if (scopes === null) return;
  requireScopes(scopes, eventScopes ?? [...new Set(scopeByEventType.values())], DETAIL);
}
