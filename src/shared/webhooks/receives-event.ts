import { eventScopes, followedTypes } from '../events/catalogue.ts';

/** The columns of an event that decide who receives it. */
export interface MatchedEvent {
  type: string;
  subject: string;
  /** Null for a public event. */
  accountId: string | null;
  onlyEndpointId: string | null;
  createdAt: Date;
}

/**
 * The columns of an endpoint that decide which events it receives; whether it is enabled is checked
 * elsewhere.
 */
export interface MatchedEndpoint {
  id: string;
  accountId: string;
  eventTypes: readonly string[];
  /** Null for all subjects. */
  subjects: readonly string[] | null;
  /** Null for all scopes. */
  eventScopes: readonly string[] | null;
  createdAt: Date;
}

/**
 * Lists every filter that matches a type of event: `*`, the type itself, and each of its prefixes that ends
 * at a dot (`build.service.*`). An endpoint matches when it has one of them. Trades match their type alone:
 * they would bury what else an endpoint with `*` gets.
 */
export function filtersOf(eventType: string): string[] {
  if (followedTypes.includes(eventType)) return [eventType];
  const prefixes = [...eventType.matchAll(/\./g)].map(({ index }) => `${eventType.slice(0, index)}.*`);
  return ['*', eventType, ...prefixes];
}

/**
 * True when an endpoint receives an event. SQL of the relay, its memory, the lists of events and the queue of
 * trades decide the same way (test/integration/who-receives.test.ts).
 */
export function receivesEvent(endpoint: MatchedEndpoint, event: MatchedEvent): boolean {
  return (
    (event.onlyEndpointId !== null || includesSubject(endpoint, event)) && receivesNamed(endpoint, event)
  );
}

/** Whether the subjects of an endpoint include the one of the event. Trades are never sent for all. */
function includesSubject({ subjects }: MatchedEndpoint, { type, subject }: MatchedEvent): boolean {
  return subjects === null ? !followedTypes.includes(type) : subjects.includes(subject);
}

/** As `receivesEvent`, for an endpoint that is known to have the subject of the event. */
export function receivesNamed(endpoint: MatchedEndpoint, event: MatchedEvent): boolean {
  if (event.accountId !== null && event.accountId !== endpoint.accountId) return false;
  if (event.onlyEndpointId !== null) return event.onlyEndpointId === endpoint.id;
  if (endpoint.createdAt > event.createdAt) return false;
  const filters = filtersOf(event.type);
  if (!endpoint.eventTypes.some((filter) => filters.includes(filter))) return false;
  const scope = event.accountId === null ? undefined : eventScopes.get(event.type);
  return scope === undefined || endpoint.eventScopes === null || endpoint.eventScopes.includes(scope);
}
