import type { Database } from '../../../db/client.ts';
import { versionTag } from '../../../http/mutations/mutation-headers.ts';
import { mutation, privateRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { API_PREFIX } from '../../../shared/api-prefix.ts';
import type { Resolver } from '../../../shared/dns/resolver.ts';
import { eventScopesOf } from '../../../shared/events/catalogue.ts';
import { EndpointPath } from '../../../shared/field-schemas.ts';
import { type EndpointRecord, shownEndpointRecord } from '../../../shared/webhooks/endpoint-record.ts';
import type { EndpointCaller } from '../../../shared/webhooks/endpoint-scopes.ts';
import { resolveDestination } from '../../../shared/webhooks/resolve.ts';
import { publicSigningKey, type SigningKeys } from '../../../shared/webhooks/signing-keys.ts';
import type { UrlPolicy } from '../../../shared/webhooks/url-policy.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import type { EndpointDependencies, EndpointTarget } from './dependencies.ts';
import { distinctSubjects, knownFilters } from './event-filters.ts';
import { requireUsableFilters } from './followed-subjects.ts';
import { pingEndpoint } from './ping-endpoint.ts';
import { rotateSecret } from './rotate-secret.ts';
import { listEndpoints, requireEndpoint } from './rows.ts';
import {
  CreatedEndpointSchema,
  DeletedEndpointSchema,
  EndpointChangeBody,
  EndpointListSchema,
  EndpointSchema,
  NewEndpointBody,
  PingSchema,
  RotationBody,
  RotationSchema,
} from './schema.ts';

const createWebhookEndpoint = {
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'Register an endpoint for signed events',
  description:
    'The response is the only place that shows `secret`; store it before anything else. The new endpoint gets one `webhook.ping`. Default of `eventTypes`: every event. A filter that matches no event type is refused. `subjects` limits the events to those about at most 100 mints and ids. An endpoint whose only types are `build.service.wallet.traded.v1` and `build.service.token.traded.v1` follows the trades of up to 1,000 wallets and mints. These two types are sent only for named subjects, and neither `*` nor a prefix includes them. Events of operations and intents reach it only when the key that creates it has `operations:read`, events of predictions only with `predictions:read`. An endpoint with `webhook_endpoint.*` is informed when the others of the account fail or are disabled.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  dependsOnKey: 'event-scopes',
  successStatus: 201,
  body: NewEndpointBody,
  exampleBody: {
    url: 'https://bot.example/launchwire',
    description: 'trading bot',
    eventTypes: ['build.service.launch.*', 'build.service.transaction_intent.confirmed.v1'],
  },
  response: CreatedEndpointSchema,
  secretResponse: true,
  responseHeaders: ['Location', 'ETag'],
  problems: ['webhook_endpoint_limit_reached', 'webhook_url_disallowed'],
} satisfies RouteDefinition;

const listWebhookEndpoints = {
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'Endpoints of the account',
  description: 'All endpoints of the account, at most 20. Secrets are never shown here.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  response: EndpointListSchema,
  problems: [],
} satisfies RouteDefinition;

const getWebhookEndpoint = {
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/webhook-endpoints/:endpointId',
  tag: 'Webhooks',
  summary: 'One endpoint of the account',
  description: 'A change of the endpoint needs its `ETag` in `If-Match`.',
  auth: ['webhooks:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: EndpointPath,
  response: EndpointSchema,
  responseHeaders: ['ETag'],
  problems: ['webhook_endpoint_not_found'],
} satisfies RouteDefinition;

const updateWebhookEndpoint = {
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/webhook-endpoints/:endpointId',
  tag: 'Webhooks',
  summary: 'Change an endpoint',
  description:
    'Send only what changes. Setting `status` to `enabled` brings a disabled endpoint back and sends it a `webhook.ping`. The key needs the read scopes that the endpoint has from the key which created it; `insufficient_scope` names the missing ones.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  dependsOnKey: 'event-scopes',
  successStatus: 200,
  versioned: true,
  params: EndpointPath,
  body: EndpointChangeBody,
  exampleBody: { status: 'enabled' },
  response: EndpointSchema,
  responseHeaders: ['ETag'],
  problems: ['webhook_endpoint_not_found', 'precondition_failed', 'webhook_url_disallowed'],
} satisfies RouteDefinition;

const deleteWebhookEndpoint = {
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/webhook-endpoints/:endpointId',
  tag: 'Webhooks',
  summary: 'Delete an endpoint',
  description: 'Open deliveries end as `dead_letter` with `endpoint_deleted`.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  successStatus: 200,
  versioned: true,
  params: EndpointPath,
  response: DeletedEndpointSchema,
  problems: ['webhook_endpoint_not_found', 'precondition_failed'],
} satisfies RouteDefinition;

const rotateWebhookSecret = {
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhook-endpoints/:endpointId/secret-rotations',
  tag: 'Webhooks',
  summary: 'Replace the signing secret',
  description:
    'Shows the new `secret` once. Until `previousSecretExpiresAt` deliveries carry a signature by each secret, so that both verify while you deploy. An endpoint has at most two secrets: another rotation before that time ends the older one at once, and `endedSecretExpiresAt` says until when it would have signed. The key needs the read scopes of the endpoint.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  dependsOnKey: 'event-scopes',
  successStatus: 201,
  versioned: true,
  params: EndpointPath,
  body: RotationBody,
  bodyOptional: true,
  exampleBody: { previousSecretTtlSeconds: 86_400 },
  response: RotationSchema,
  secretResponse: true,
  responseHeaders: ['ETag'],
  problems: ['webhook_endpoint_not_found', 'precondition_failed'],
} satisfies RouteDefinition;

const pingWebhookEndpoint = {
  id: 'pingWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints/:endpointId/pings',
  refusesUnknownQuery: true,
  tag: 'Webhooks',
  summary: 'Ping an endpoint',
  description:
    'Sends one `webhook.ping` to this endpoint alone, whatever its `eventTypes` and `subjects`. It is delivered and retried like any event. `Location` lists the deliveries.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  successStatus: 202,
  params: EndpointPath,
  response: PingSchema,
  responseHeaders: ['Location'],
  problems: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled'],
} satisfies RouteDefinition;

/** Operations added after the first 36 (contract/endpoints#added). */
export const addedEndpointDefinitions: readonly RouteDefinition[] = [pingWebhookEndpoint];

export const endpointDefinitions: readonly RouteDefinition[] = [
  createWebhookEndpoint,
  listWebhookEndpoints,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
];

export interface EndpointRouteDependencies extends EndpointDependencies {
  database: Database;
  urlPolicy: UrlPolicy;
  resolver: Resolver;
  signingKeys: SigningKeys;
}

export function endpointRoutes(dependencies: EndpointRouteDependencies): Route[] {
  const { database, urlPolicy, resolver } = dependencies;
  const shown = <Endpoint extends EndpointRecord>(endpoint: Endpoint) => ({
    ...endpoint,
    signingKeyIds: dependencies.signingKeys.ofEndpoint(endpoint.id).map((key) => publicSigningKey(key).kid),
  });
  return [
    mutation(createWebhookEndpoint, {
      async prepare({ body }, { principal }) {
        const owner = { accountId: principal.accountId, endpointId: null };
        return await resolveDestination(body.url, urlPolicy, resolver, owner);
      },
      async handle({ body }, { principal }, transaction, destination) {
        const { id: keyId, accountId } = principal;
        const request = {
          accountId,
          keyId,
          description: body.description ?? null,
          eventScopes: eventScopesOf(principal.scopes),
          destination,
          ...filtersOf(body),
        };
        const endpoint = shown(await createEndpoint(transaction, request, dependencies));
        const Location = `${API_PREFIX}/webhook-endpoints/${endpoint.id}`;
        return { body: endpoint, headers: { Location, ETag: versionTag(endpoint.version) } };
      },
    }),
    privateRead(listWebhookEndpoints, async (_input, { accountId }) => ({
      body: { data: (await listEndpoints(database, accountId)).map(shownEndpointRecord).map(shown) },
    })),
    privateRead(getWebhookEndpoint, async ({ params }, { accountId }) => {
      const endpoint = await requireEndpoint(database, params.endpointId, accountId);
      return { body: shown(shownEndpointRecord(endpoint)), headers: { ETag: versionTag(endpoint.version) } };
    }),
    mutation(updateWebhookEndpoint, {
      async prepare({ params, body }, { principal }) {
        if (body.url === undefined) return null;
        const owner = { accountId: principal.accountId, endpointId: params.endpointId };
        return await resolveDestination(body.url, urlPolicy, resolver, owner);
      },
      async handle({ params, body }, { principal, expectedVersion }, transaction, destination) {
        const { url: _, ...changes } = body;
        const target = targetOf(params, principal, expectedVersion);
        const endpoint = await changeEndpoint(transaction, target, { ...changes, destination }, dependencies);
        return { body: shown(endpoint), headers: { ETag: versionTag(endpoint.version) } };
      },
    }),
    mutation(deleteWebhookEndpoint, async ({ params }, { principal, expectedVersion }, transaction) => {
      const target = targetOf(params, { ...principal, scopes: [] }, expectedVersion);
      await deleteEndpoint(transaction, target, dependencies);
      return { body: { id: params.endpointId, deleted: true as const } };
    }),
    mutation(rotateWebhookSecret, async ({ params, body }, { principal, expectedVersion }, transaction) => {
      const target = targetOf(params, principal, expectedVersion);
      const rotation = await rotateSecret(transaction, target, body.previousSecretTtlSeconds, dependencies);
      return { body: rotation, headers: { ETag: versionTag(rotation.version) } };
    }),
  ];
}

/** The filters of a new endpoint. Throws `validation_failed`. */
function filtersOf({ eventTypes, subjects }: { eventTypes?: string[]; subjects?: string[] | null }) {
  const filters = { eventTypes: knownFilters(eventTypes ?? ['*']), subjects: subjects ?? null };
  requireUsableFilters(filters, 'subjects');
  return { ...filters, subjects: distinctSubjects(filters.subjects) };
}

function targetOf(
  { endpointId }: { endpointId: string },
  { id: keyId, accountId, scopes }: EndpointCaller & { id: string },
  expectedVersion: number,
): EndpointTarget {
  return { endpointId, accountId, scopes, expectedVersion, keyId };
}

export function addedEndpointRoutes(dependencies: EndpointRouteDependencies): Route[] {
  return [
    mutation(pingWebhookEndpoint, async ({ params }, { principal }, transaction) => {
      const ping = await pingEndpoint(transaction, params.endpointId, principal.accountId, dependencies);
      const Location = `${API_PREFIX}/webhook-endpoints/${ping.endpointId}/deliveries`;
      return { body: ping, headers: { Location } };
    }),
  ];
}
