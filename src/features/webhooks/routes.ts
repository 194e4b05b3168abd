import { Type } from '@sinclair/typebox';
import type { Database } from '../../db/client.ts';
import { deliveryStatuses } from '../../db/schema/webhooks.ts';
import { type Cursors, page } from '../../http/cursor.ts';
import { OneOf, PageOf, paginationFields } from '../../http/fields.ts';
import { type Operation, preparedMutation, privateRead, type Route } from '../../http/operation.ts';
import { versionTag } from '../../http/preconditions.ts';
import { API_PREFIX } from '../../http/unmatched.ts';
import { type Hint, hints } from '../../shared/bus/topology.ts';
import { Problem } from '../../shared/problem.ts';
import { endpointRecord } from '../../shared/webhooks/endpoint-record.ts';
import { type Resolver, resolveDestination } from '../../shared/webhooks/resolve.ts';
import type { UrlPolicy } from '../../shared/webhooks/url-policy.ts';
import { createEndpoint, type EndpointDependencies } from './create-endpoint.ts';
import { deliveryRecord, listDeliveries } from './delivery-store.ts';
import { findEndpoint } from './endpoint-store.ts';
import {
  CreatedEndpointSchema,
  DeliverySchema,
  EndpointPath,
  EndpointSchema,
  NewEndpointBody,
} from './schema.ts';

const createWebhookEndpoint = {
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'Register an endpoint for signed events',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  successStatus: 201,
  body: NewEndpointBody,
  response: CreatedEndpointSchema,
  secretResponse: true,
  problems: ['webhook_endpoint_limit_reached', 'webhook_url_disallowed'],
} satisfies Operation;

const getWebhookEndpoint = {
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/webhook-endpoints/:endpointId',
  tag: 'Webhooks',
  summary: 'One endpoint of the account',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: EndpointPath,
  response: EndpointSchema,
  problems: ['webhook_endpoint_not_found'],
} satisfies Operation;

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

export interface WebhookRouteDependencies extends EndpointDependencies {
  database: Database;
  cursors: Cursors;
  urlPolicy: UrlPolicy;
  resolver: Resolver;
  sendHints(...hints: Hint[]): void;
}

export function webhookRoutes(dependencies: WebhookRouteDependencies): Route[] {
  const { database, cursors, urlPolicy, resolver, sendHints } = dependencies;
  return [
    preparedMutation(
      createWebhookEndpoint,
      ({ body }) => resolveDestination(body.url, urlPolicy, resolver),
      async ({ body }, { principal }, transaction, destination) => {
        const { accountId } = principal;
        const { description = null, eventTypes = ['*'] } = body;
        const request = { accountId, description, eventTypes, destination };
        const endpoint = await createEndpoint(transaction, request, dependencies);
        return {
          body: endpoint,
          headers: {
            Location: `${API_PREFIX}/webhook-endpoints/${endpoint.id}`,
            ETag: versionTag(endpoint.version),
          },
          afterCommit: () => sendHints(hints.outbox),
        };
      },
    ),
    privateRead(getWebhookEndpoint, async ({ params }, { accountId }) => {
      const endpoint = await requireEndpoint(database, params.endpointId, accountId);
      return { body: endpointRecord(endpoint), headers: { ETag: versionTag(endpoint.version) } };
    }),
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
  ];
}

async function requireEndpoint(database: Database, endpointId: string, accountId: string) {
  const endpoint = await findEndpoint(database, endpointId, accountId);
  if (endpoint === null) throw new Problem('webhook_endpoint_not_found');
  return endpoint;
}
