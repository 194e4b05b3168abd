import { Type } from '@sinclair/typebox';
import type { Database } from '../../../db/client.ts';
import { deliveryStatuses } from '../../../db/schema/webhooks.ts';
import type { Cursors } from '../../../http/cursor.ts';
import { mutation, type Operation, privateRead, type Route } from '../../../http/operation.ts';
import { requestedPage } from '../../../http/pages.ts';
import { PageOf, paginationFields } from '../../../http/pagination.ts';
import { type Hint, hints } from '../../../shared/bus/topology.ts';
import { OneOf } from '../../../shared/field-schemas.ts';
import { requireEndpoint } from '../endpoints/rows.ts';
import { EndpointPath } from '../endpoints/schema.ts';
import { type AttemptPosition, listAttempts } from './list-attempts.ts';
import { type DeliveryPosition, listDeliveries } from './list-deliveries.ts';
import { toDelivery } from './record.ts';
import { replayDelivery } from './replay-delivery.ts';
import { AttemptSchema, DeliveryPath, DeliverySchema } from './schema.ts';

const listWebhookDeliveries = {
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhook-endpoints/:endpointId/deliveries',
  tag: 'Webhooks',
  summary: 'Deliveries of an endpoint, newest first',
  description:
    'What was sent, how often, and why it failed. `status=dead_letter` lists what needs your attention.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: EndpointPath,
  query: Type.Object({ ...paginationFields, status: Type.Optional(OneOf(deliveryStatuses)) }),
  response: PageOf(DeliverySchema),
  problems: ['cursor_invalid', 'webhook_endpoint_not_found'],
} satisfies Operation;

const replayWebhookDelivery = {
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: '/webhook-deliveries/:deliveryId/replays',
  tag: 'Webhooks',
  summary: 'Send a finished delivery again, with the whole schedule',
  description:
    'Sends the same bytes with the same `webhook-id` again, with the whole retry schedule. At most 10 times a delivery.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  successStatus: 202,
  params: DeliveryPath,
  response: DeliverySchema,
  responseHeaders: ['Location'],
  problems: [
    'webhook_delivery_not_found',
    'webhook_delivery_not_replayable',
    'webhook_delivery_replay_limit_reached',
  ],
} satisfies Operation;

const listWebhookAttempts = {
  id: 'listWebhookAttempts',
  method: 'GET',
  path: '/webhook-deliveries/:deliveryId/attempts',
  tag: 'Webhooks',
  summary: 'Attempts of a delivery, newest first',
  description:
    'When each began and ended, how long its phases took, and the start of what your endpoint responded. An attempt is listed when it has ended; `unknown` is one whose outcome was lost with the process that made it.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: DeliveryPath,
  query: Type.Object(paginationFields),
  response: PageOf(AttemptSchema),
  problems: ['webhook_delivery_not_found', 'cursor_invalid'],
} satisfies Operation;

/** What came after the first 36 (contract/endpoints#added). */
export const addedDeliveryOperations: readonly Operation[] = [listWebhookAttempts];

export const deliveryOperations: readonly Operation[] = [listWebhookDeliveries, replayWebhookDelivery];

export interface DeliveryRouteDependencies {
  database: Database;
  cursors: Cursors;
  sendHints(...hints: Hint[]): void;
}

export function deliveryRoutes({ database, cursors, sendHints }: DeliveryRouteDependencies): Route[] {
  return [
    privateRead(listWebhookDeliveries, async ({ params, query }, { accountId }) => {
      const { endpointId } = params;
      const { status } = query;
      const binding = [listWebhookDeliveries.id, endpointId, status ?? null];
      const page = requestedPage<DeliveryPosition>(cursors, query, binding, 1);
      const { limit, after } = page;
      await requireEndpoint(database, endpointId, accountId);
      return { body: page.toBody(await listDeliveries(database, endpointId, { status, limit, after })) };
    }),
    mutation(replayWebhookDelivery, async ({ params }, { principal }, transaction) => ({
      body: toDelivery(await replayDelivery(transaction, params.deliveryId, principal.accountId)),
      afterCommit: () => sendHints(hints.deliveries),
    })),
  ];
}

export function addedDeliveryRoutes({ database, cursors }: DeliveryRouteDependencies): Route[] {
  return [
    privateRead(listWebhookAttempts, async ({ params, query }, { accountId }) => {
      const { deliveryId } = params;
      const page = requestedPage<AttemptPosition>(cursors, query, [listWebhookAttempts.id, deliveryId], 1);
      const { limit, after } = page;
      return { body: page.toBody(await listAttempts(database, deliveryId, accountId, { limit, after })) };
    }),
  ];
}
