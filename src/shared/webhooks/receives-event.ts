import { eventScopes } from '../events/catalogue.ts';

/** What decides about an event, as its row has it. */
export interface MatchedEvent {
  type: string;
  subject: string;
  /** Null: public. */
  accountId: string | null;
  onlyEndpointId: string | null;
  createdAt: Date;
}

/** What decides about an endpoint, as its row has it; whether it is enabled is asked elsewhere. */
export interface MatchedEndpoint {
  id: string;
  accountId: string;
  eventTypes: readonly string[];
  /** Null: all. */
  subjects: readonly string[] | null;
  /** Null: all. */
  eventScopes: readonly string[] | null;
  createdAt: Date;
}

/**
 * Every filter that matches events of a type: `*`, the type itself, and each of its prefixes that ends at a dot
 * (`build.service.*`). An endpoint matches when it has one of them.
 */
export function filtersOf(eventType: string): string[] {
  const prefixes = [...eventType.matchAll(/\./g)].map(({ index }) => `${eventType.slice(0, index)}.*`);
  return ['*', eventType, ...prefixes];
}

/** Whether an endpoint receives an event, as the relay's SQL decides it (relay/fan-out/endpoint-matching.ts, `matches`). */
export function receivesEvent(endpoint: MatchedEndpoint, event: MatchedEvent): boolean {
  if (event.accountId !== null && event.accountId !== endpoint.accountId) return false;
  if (event.onlyEndpointId !== null) return event.onlyEndpointId === endpoint.id;
  if (endpoint.createdAt > event.createdAt) return false;
  const filters = filtersOf(event.type);
  if (!endpoint.eventTypes.some((filter) => filters.includes(filter))) return false;
  if (endpoint.subjects !== null && !endpoint.subjects.includes(event.subject)) return false;
  const scope = event.accountId === null ? undefined : eventScopes.get(event.type);
  return scope === undefined || endpoint.eventScopes === null || endpoint.eventScopes.includes(scope);
}
