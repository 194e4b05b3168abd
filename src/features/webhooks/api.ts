import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import { findStreamedDeliveries } from './deliveries/find-delivery.ts';
import { addedWebhookDefinitions, addedWebhookRoutes, webhookDefinitions, webhookRoutes } from './routes.ts';

export const webhookApi = {
  operations: [{ definitions: webhookDefinitions, routes: webhookRoutes }],
  added: [{ definitions: addedWebhookDefinitions, routes: addedWebhookRoutes }],
  records: ({ database }: { database: Database }) => ({
    deliveries: (ids: readonly string[]) => findStreamedDeliveries(database, ids),
  }),
} satisfies ApiDoor;
