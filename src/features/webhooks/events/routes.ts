import type { Database } from '../../../db/client.ts';
import type { Cursors } from '../../../http/cursor.ts';
import { type Operation, privateRead, type Route } from '../../../http/operation.ts';
import { requestedPage } from '../../../http/pages.ts';
import { knownFilters, subjectInEvents } from '../endpoints/event-filters.ts';
import { type EventPosition, listEvents } from './list-events.ts';
import { EventListQuery, EventPageSchema } from './schema.ts';
import { visibleTypes } from './visible-types.ts';

const listAccountEvents = {
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  refusesUnknownQuery: true,
  tag: 'Webhooks',
  summary: 'Public events and those of the account, oldest first',
  description:
    'What a subscriber reads after an outage: the same CloudEvents that deliveries carry, for at least 30 days. Filter by `type` (as `eventTypes` of an endpoint), `subject` and the time of recording. `nextCursor` is there on the last page too: keep it, and ask with it again for what came since; nothing is skipped. Account events are listed as far as the read scopes of the key reach.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  query: EventListQuery,
  response: EventPageSchema,
  problems: ['cursor_invalid'],
} satisfies Operation;

export const eventOperations: readonly Operation[] = [listAccountEvents];

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
      const bounds = [createdAfter ?? null, createdBefore ?? null];
      const binding = [listAccountEvents.id, accountId, types, subject ?? null, ...bounds];
      const page = requestedPage<EventPosition>(cursors, query, binding, 3);
      const from = createdAfter === undefined ? undefined : new Date(createdAfter);
      const to = createdBefore === undefined ? undefined : new Date(createdBefore);
      const { limit, after } = page;
      const selection = { accountId, types, subject, from, to, limit, after };
      const { items, next, last } = await listEvents(database, selection);
      const body = page.toBody({ items, next: last });
      return { body: { ...body, page: { ...body.page, hasMore: next !== null } } };
    }),
  ];
}
