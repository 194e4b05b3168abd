import { mutation, type Route, type RouteDefinition } from '../../../http/route.ts';
import type { Clock } from '../../../shared/clock.ts';
import { EndpointPath } from '../../../shared/field-schemas.ts';
import { OperationSchema } from '../schema.ts';
import { type StartedOperationDependencies, startedOperation } from '../started-operation.ts';
import { createRecovery } from './create-recovery.ts';
import { RecoveryBody } from './schema.ts';

const recoverWebhookDeliveries = {
  id: 'recoverWebhookDeliveries',
  method: 'POST',
  path: '/webhook-endpoints/:endpointId/recoveries',
  refusesUnknownQuery: true,
  tag: 'Webhooks',
  summary: 'Deliver what an endpoint missed',
  description:
    'Starts an operation; follow it at `Location`. `missed` are events since `since` that have no delivery to the endpoint because it was disabled, by its filters as they are now; `retrying` are deliveries whose next attempt is made now; `dead_letter` and `succeeded` are deliveries to replay. Without `statuses`: all but `succeeded`. At most 200 deliveries a second become due, and none while 1,000 of the endpoint are open; of `retrying`, while 1,000 that it has made due are. One recovery of an endpoint at a time. The key needs the read scopes of the endpoint.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  dependsOnKey: 'event-scopes',
  successStatus: 202,
  params: EndpointPath,
  body: RecoveryBody,
  exampleBody: { since: '2026-11-20T10:00:00.000Z', statuses: ['missed', 'retrying', 'dead_letter'] },
  response: OperationSchema,
  responseHeaders: ['Location', 'Retry-After'],
  problems: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled', 'operation_limit_reached'],
} satisfies RouteDefinition;

export const recoveryDefinitions: readonly RouteDefinition[] = [recoverWebhookDeliveries];

export interface RecoveryRouteDependencies extends StartedOperationDependencies {
  clock: Clock;
}

export function recoveryRoutes(dependencies: RecoveryRouteDependencies): Route[] {
  const { clock } = dependencies;
  return [
    mutation(recoverWebhookDeliveries, async ({ params, body }, { principal }, transaction) => {
      const order = { caller: principal, endpointId: params.endpointId, request: body };
      const operation = await createRecovery(transaction, order, clock);
      return startedOperation(operation, dependencies, clock.now());
    }),
  ];
}
