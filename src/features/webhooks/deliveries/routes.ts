import { Type } from '@sinclair/typebox';
import type { Database } from '../../../db/client.ts';
import { deliveryStatuses } from '../../../db/schema/webhooks.ts';
import type { Cursors } from '../../../http/cursor.ts';
import { OneOf, PageOf, paginationFields } from '../../../http/fields.ts';
import { mutation, type Operation, privateRead, type Route } from '../../../http/operation.ts';
import { requestedPage } from '../../../http/pages.ts';
import { type Hint, hints } from '../../../shared/bus/topology.ts';
import { requireEndpoint } from '../endpoints/rows.ts';
import { EndpointPath } from '../endpoints/schema.ts';
import { type DeliveryPosition, listDeliveries } from './list-deliveries.ts';
import { toDelivery } from './record.ts';
import { replayDelivery } from './replay-delivery.ts';
import { DeliveryPath, DeliverySchema } from './schema.ts';

const listWebhookDeliveries = {
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhook-endpoints/:endpointId/deliveries',
  tag: 'Webhooks',
  summary: 'Deliveries of an endpoint, newest first',
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
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  successStatus: 202,
  params: DeliveryPath,
  response: DeliverySchema,
  problems: [
    'webhook_delivery_not_found',
    'webhook_delivery_not_replayable',
    'webhook_delivery_replay_limit_reached',
  ],
} satisfies Operation;

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
