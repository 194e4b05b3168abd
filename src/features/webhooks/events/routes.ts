import type { Database } from '../../../db/client.ts';
import type { Cursors } from '../../../http/lists/cursor.ts';
import { requestedPage } from '../../../http/lists/pages.ts';
import { privateRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { eventScopesOf, followedTypes } from '../../../shared/events/catalogue.ts';
import { parseInstant } from '../../../shared/instant.ts';
import { Problem } from '../../../shared/problem.ts';
import { knownFilters, subjectInEvents } from '../endpoints/event-filters.ts';
import { type EventPosition, findEvent, listEvents } from './list-events.ts';
import { EventListQuery, EventPageSchema, EventPath, EventSchema } from './schema.ts';
import { visibleTypes } from './visible-types.ts';

const listAccountEvents = {
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  refusesUnknownQuery: true,
  tag: 'Webhooks',
  summary: 'Events, oldest first',
  description:
    'Read it after an outage of your receiver. It holds the CloudEvents of the deliveries for at least 30 days. Filter by `type` (as in `eventTypes` of an endpoint), `subject` and the time of recording. The last page has a `nextCursor` too: keep it to request later events with it. Nothing is skipped. Trades that an endpoint of the account follows are listed for 7 days, with their full `type` and one `subject`. Account events are listed only within the read scopes of the key.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  query: EventListQuery,
  response: EventPageSchema,
  problems: ['cursor_invalid'],
} satisfies RouteDefinition;

const getEvent = {
  id: 'getEvent',
  method: 'GET',
  path: '/events/:eventId',
  refusesUnknownQuery: true,
  tag: 'Webhooks',
  summary: 'One event',
  description:
    'The CloudEvent that deliveries carry, by its id: `webhook-id` of a request, `eventId` of a delivery. The rules are those of `listEvents`: public events, and those of the account within the read scopes of the key, for at least 30 days. Any other id gets the 404 of an event that does not exist.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: EventPath,
  response: EventSchema,
  problems: ['event_not_found'],
} satisfies RouteDefinition;

export const eventDefinitions: readonly RouteDefinition[] = [listAccountEvents, getEvent];

export interface EventRouteDependencies {
  database: Database;
  cursors: Cursors;
}

export function eventRoutes({ database, cursors }: EventRouteDependencies): Route[] {
  return [
    privateRead(listAccountEvents, async ({ query }, { accountId, scopes }) => {
      const { type = '*', createdAfter, createdBefore } = query;
      const [filter = '*'] = knownFilters([type], () => '/query/type');
      const subject = query.subject === undefined ? undefined : subjectInEvents(query.subject);
      const types = visibleTypes(filter, scopes);
      if ((types.ofFollowers ?? []).length > 0 && subject === undefined) throw subjectRequired();
      const bounds = [createdAfter ?? null, createdBefore ?? null];
      // Not the types themselves: one that a release adds would end the cursors of the list.
      const binding = [
        listAccountEvents.id,
        accountId,
        filter,
        eventScopesOf(scopes),
        subject ?? null,
        ...bounds,
      ];
      const page = requestedPage<EventPosition>(cursors, query, binding, 3);
      const [from, to] = [parseInstant(createdAfter), parseInstant(createdBefore)];
      const { limit, after } = page;
      const selection = { accountId, types, subject, from, to, limit, after };
      const { items, next, last } = await listEvents(database, selection);
      const body = page.toBody({ items, next: last });
      return { body: { ...body, page: { ...body.page, hasMore: next !== null } } };
    }),
    privateRead(getEvent, async ({ params }, { accountId, scopes }) => {
      const types = { ...visibleTypes('*', scopes), ofFollowers: [...followedTypes] };
      const selection = { accountId, types };
      const event = await findEvent(database, params.eventId, selection);
      if (event === null) throw new Problem('event_not_found');
      return { body: event };
    }),
  ];
}

/** Trades are listed by subject: an account may follow 20,000 of them. */
function subjectRequired(): Problem {
  const message = 'is required with a type of trades';
  return new Problem('validation_failed', {
    errors: [{ path: '/query/subject', code: 'required', message }],
  });
}
