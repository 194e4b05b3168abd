import { eventCatalogue, eventNames, eventScopes, eventType } from '../../../shared/events/catalogue.ts';
import { filtersOf } from '../../../shared/webhooks/receives-event.ts';

/** Full names of the event types that a key may list. */
export interface VisibleTypes {
  ofEveryone: string[];
  ofAccount: string[];
  /** Trades, of subjects that an endpoint of the account follows. */
  ofFollowers?: string[];
}

/**
 * Types that a filter matches and a key may read: account events only within its scopes
 * (contract/events#filter-scopes).
 */
export function visibleTypes(filter: string, keyScopes: readonly string[]): VisibleTypes {
  const matching = eventNames
    .map((name) => ({ type: eventType(name), audience: eventCatalogue[name].audience }))
    .filter(({ type }) => filtersOf(type).includes(filter));
  const typesOf = (wanted: string) =>
    matching.flatMap(({ type, audience }) => (audience === wanted ? [type] : []));
  return {
    ofEveryone: typesOf('public'),
    ofAccount: typesOf('account').filter((type) => isReadable(type, keyScopes)),
    ofFollowers: typesOf('followers'),
  };
}

/** Whether a key may read events of a type that belong to its account. */
export function isReadable(type: string, keyScopes: readonly string[]): boolean {
  const scope = eventScopes.get(type);
  return scope === undefined || keyScopes.includes(scope);
}
