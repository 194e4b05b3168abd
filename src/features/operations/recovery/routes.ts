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
    'Starts an operation. Follow it at `Location`. `missed` are events since `since` that match the present filters of the endpoint and have no delivery because the endpoint was disabled. `retrying` are deliveries whose next attempt is made now. `dead_letter` and `succeeded` are deliveries that are replayed. Default of `statuses`: all but `succeeded`. At most 200 deliveries per second become due, and none while 1,000 deliveries of the endpoint are open. For `retrying` only the deliveries that the recovery has made due count as open. An endpoint can have one recovery at a time. The key needs the read scopes of the endpoint.',
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
