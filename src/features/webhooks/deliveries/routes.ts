import { Type } from '@sinclair/typebox';
import type { Database } from '../../../db/client.ts';
import { deliveryStatuses } from '../../../db/schema/webhooks.ts';
import { type Cursors, page } from '../../../http/cursor.ts';
import { OneOf, PageOf, paginationFields } from '../../../http/fields.ts';
import { mutation, type Operation, privateRead, type Route } from '../../../http/operation.ts';
import { type Hint, hints } from '../../../shared/bus/topology.ts';
import { requireEndpoint } from '../endpoints/rows.ts';
import { DeliveryPath, DeliverySchema, EndpointPath } from '../endpoints/schema.ts';
import { deliveryRecord, listDeliveries } from './list-deliveries.ts';
import { replayDelivery } from './replay-delivery.ts';

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
      const { cursor, limit, status } = query;
      const binding = [listWebhookDeliveries.id, endpointId, status ?? null];
      const [beforeId] = cursor === undefined ? [] : cursors.verify(cursor, binding, 1);
      await requireEndpoint(database, endpointId, accountId);
      const rows = await listDeliveries(database, endpointId, { status, limit, beforeId });
      const { items, page: position } = page(rows, limit, ({ id }) => cursors.sign([id], binding));
      return { body: { data: items.map(deliveryRecord), page: position } };
    }),
    mutation(replayWebhookDelivery, async ({ params }, { principal }, transaction) => ({
      body: deliveryRecord(await replayDelivery(transaction, params.deliveryId, principal.accountId)),
      afterCommit: () => sendHints(hints.deliveries),
    })),
  ];
}
