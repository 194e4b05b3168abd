import { Type } from '@sinclair/typebox';
import type { Database } from '../../../db/client.ts';
import type { Reader } from '../../../db/look-ups.ts';
import type { Cursors } from '../../../http/lists/cursor.ts';
import { PageOf, paginationFields, requestedPage } from '../../../http/lists/pages.ts';
import { mutation, privateRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { API_PREFIX } from '../../../shared/api-prefix.ts';
import { hints, type SentHint } from '../../../shared/bus/topology.ts';
import { fullEventFilter } from '../../../shared/events/catalogue.ts';
import { EndpointPath } from '../../../shared/field-schemas.ts';
import { parseInstant } from '../../../shared/instant.ts';
import { Problem } from '../../../shared/problem.ts';
import { requireEndpointEver } from '../endpoints/rows.ts';
import { findDelivery } from './find-delivery.ts';
import { type AttemptPosition, listAttempts } from './list-attempts.ts';
import { type DeliveryPosition, listDeliveries } from './list-deliveries.ts';
import { type DeliveryRow, toDelivery } from './record.ts';
import { replayDelivery } from './replay-delivery.ts';
import { retryDelivery } from './retry-delivery.ts';
import { AttemptSchema, DeliveryListQuery, DeliveryPath, DeliverySchema } from './schema.ts';

const listWebhookDeliveries = {
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhook-endpoints/:endpointId/deliveries',
  tag: 'Webhooks',
  summary: 'Deliveries of an endpoint, newest first',
  description:
    'What was sent, how often, and why it failed. `status=dead_letter` lists what needs your attention. With `eventType` a page searches 250 deliveries, and may hold fewer than `limit` while `hasMore` is true.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: EndpointPath,
  query: DeliveryListQuery,
  response: PageOf(DeliverySchema),
  problems: ['cursor_invalid', 'webhook_endpoint_not_found'],
} satisfies RouteDefinition;

const replayWebhookDelivery = {
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: '/webhook-deliveries/:deliveryId/replays',
  tag: 'Webhooks',
  summary: 'Send a finished delivery again',
  description:
    'Sends the same bytes with the same `webhook-id` again, with the whole retry schedule. A delivery can be replayed 10 times. The key needs the read scopes of the endpoint. `Location` is the delivery.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  dependsOnKey: 'event-scopes',
  successStatus: 202,
  params: DeliveryPath,
  response: DeliverySchema,
  responseHeaders: ['Location'],
  problems: [
    'webhook_delivery_not_found',
    'webhook_delivery_not_replayable',
    'webhook_delivery_replay_limit_reached',
  ],
} satisfies RouteDefinition;

const listWebhookAttempts = {
  id: 'listWebhookAttempts',
  method: 'GET',
  path: '/webhook-deliveries/:deliveryId/attempts',
  refusesUnknownQuery: true,
  tag: 'Webhooks',
  summary: 'Attempts of a delivery, newest first',
  description:
    'Shows when each attempt began and ended, how long its phases took, and the beginning of your endpoint’s response. A failed attempt has its cause (`errorCode`, `reason`) and the address at which it failed (`failedHop`). An attempt is listed when it has ended. The outcome is `unknown` if it was lost with the process that made the attempt.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: DeliveryPath,
  query: Type.Object(paginationFields),
  response: PageOf(AttemptSchema),
  problems: ['webhook_delivery_not_found', 'cursor_invalid'],
} satisfies RouteDefinition;

const getWebhookDelivery = {
  id: 'getWebhookDelivery',
  method: 'GET',
  path: '/webhook-deliveries/:deliveryId',
  refusesUnknownQuery: true,
  tag: 'Webhooks',
  summary: 'One delivery of the account',
  description:
    'The record of `listWebhookDeliveries`. The id is also in the `Launchwire-Delivery-Id` header of a request.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: DeliveryPath,
  response: DeliverySchema,
  problems: ['webhook_delivery_not_found'],
} satisfies RouteDefinition;

const retryWebhookDelivery = {
  id: 'retryWebhookDelivery',
  method: 'POST',
  path: '/webhook-deliveries/:deliveryId/retries',
  refusesUnknownQuery: true,
  tag: 'Webhooks',
  summary: 'Send a retrying delivery now',
  description:
    'The next attempt is made now instead of at `nextAttemptAt`. It counts as the same attempt of the schedule, so the delivery gets no extra attempt. A pause that the endpoint asked for with `Retry-After` still holds. A delivery that has ended is replayed instead. The key needs the read scopes of the endpoint. `Location` is the delivery.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  dependsOnKey: 'event-scopes',
  successStatus: 202,
  params: DeliveryPath,
  response: DeliverySchema,
  responseHeaders: ['Location'],
  problems: ['webhook_delivery_not_found', 'webhook_delivery_not_retrying'],
} satisfies RouteDefinition;

/** Operations added after the first 36 (contract/endpoints#added). */
export const addedDeliveryDefinitions: readonly RouteDefinition[] = [
  getWebhookDelivery,
  listWebhookAttempts,
  retryWebhookDelivery,
];

export const deliveryDefinitions: readonly RouteDefinition[] = [listWebhookDeliveries, replayWebhookDelivery];

export interface DeliveryRouteDependencies {
  database: Database;
  lookUps: Reader;
  cursors: Cursors;
  sendHints(...hints: SentHint[]): void;
}

export function deliveryRoutes({ database, cursors, sendHints }: DeliveryRouteDependencies): Route[] {
  return [
    privateRead(listWebhookDeliveries, async ({ params, query }, { accountId }) => {
      const { endpointId } = params;
      const { status, eventId, createdAfter, createdBefore } = query;
      const eventType = query.eventType && fullEventFilter(query.eventType);
      const filters = [eventType, eventId, createdAfter, createdBefore];
      // Without other filters the list is the same as before they existed, so that old cursors stay valid.
      const others = filters.some((filter) => filter !== undefined) ? [filters] : [];
      const binding = [listWebhookDeliveries.id, endpointId, status ?? null, ...others];
      const page = requestedPage<DeliveryPosition>(cursors, query, binding, 1);
      const { limit, after } = page;
      await requireEndpointEver(database, endpointId, accountId);
      const selection = {
        status,
        eventType,
        eventId,
        limit,
        after,
        createdAfter: parseInstant(createdAfter),
        createdBefore: parseInstant(createdBefore),
      };
      return { body: page.toBody(await listDeliveries(database, endpointId, selection)) };
    }),
    mutation(replayWebhookDelivery, async ({ params }, { principal }, transaction) => {
      const delivery = await replayDelivery(transaction, params.deliveryId, principal);
      return { ...dueNow(delivery), afterCommit: () => sendHints(hints.deliveries) };
    }),
  ];
}

/** The reply with a delivery that is due now, and its `Location`. */
function dueNow(delivery: DeliveryRow) {
  return {
    body: toDelivery(delivery),
    headers: { Location: `${API_PREFIX}/webhook-deliveries/${delivery.id}` },
  };
}

export function addedDeliveryRoutes(dependencies: DeliveryRouteDependencies): Route[] {
  const { database, lookUps, cursors, sendHints } = dependencies;
  return [
    privateRead(getWebhookDelivery, async ({ params }, { accountId }) => {
      const delivery = await findDelivery(lookUps, params.deliveryId, accountId);
      if (delivery === null) throw new Problem('webhook_delivery_not_found');
      return { body: toDelivery(delivery) };
    }),
    privateRead(listWebhookAttempts, async ({ params, query }, { accountId, scopes }) => {
      const { deliveryId } = params;
      const page = requestedPage<AttemptPosition>(cursors, query, [listWebhookAttempts.id, deliveryId], 1);
      const { limit, after } = page;
      const attempts = await listAttempts(database, deliveryId, { accountId, scopes }, { limit, after });
      return { body: page.toBody(attempts) };
    }),
    mutation(retryWebhookDelivery, async ({ params }, { principal }, transaction) => {
      const delivery = await retryDelivery(transaction, params.deliveryId, principal);
      return { ...dueNow(delivery), afterCommit: () => sendHints(hints.deliveries) };
    }),
  ];
}
