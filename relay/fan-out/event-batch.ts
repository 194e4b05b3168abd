import { filtersOf } from '../../src/shared/webhooks/receives-event.ts';
import { subjectFiltersOf } from './endpoint-matching.ts';

/** What a fan-out needs to know about an event. */
export interface FanOutEvent {
  id: string;
  type: string;
  subject: string;
  accountId: string | null;
}

/** Events that are fanned out by the same statements: all public, or all addressed to accounts. */
export interface EventBatch {
  eventIds: string[];
  /** The accounts that the events are addressed to; null when the events are public. */
  accountIds: string[] | null;
  /** Filters of the endpoints that are read; null for account events, whose endpoints are few. */
  filters: string[] | null;
  /** The same for the subjects of endpoints. */
  subjects: string[] | null;
}

export function publicBatch(events: readonly FanOutEvent[]): EventBatch {
  const publicEvents = events.filter(({ accountId }) => accountId === null);
  const filters = publicEvents.flatMap(({ type }) => filtersOf(type));
  const subjects = publicEvents.flatMap(({ subject }) => subjectFiltersOf(subject));
  return {
    eventIds: publicEvents.map(({ id }) => id),
    accountIds: null,
    filters: [...new Set(filters)],
    subjects: [...new Set(subjects)],
  };
}

export function accountBatch(events: readonly FanOutEvent[]): EventBatch {
  const owned = events.filter(({ accountId }) => accountId !== null);
  return {
    eventIds: owned.map(({ id }) => id),
    accountIds: [...new Set(owned.flatMap(({ accountId }) => accountId ?? []))],
    // `webhook.ping` reaches its endpoint whatever its filters are, and an account's endpoints are few.
    filters: null,
    subjects: null,
  };
}
