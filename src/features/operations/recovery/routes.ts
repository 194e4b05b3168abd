import { mutation, type Operation, type Route } from '../../../http/operation.ts';
import { API_PREFIX } from '../../../shared/api-prefix.ts';
import { type Hint, hints } from '../../../shared/bus/topology.ts';
import type { Clock } from '../../../shared/clock.ts';
import { publishedLimits } from '../../../shared/contract-limits.ts';
import { type OperationLinks, toOperation } from '../record.ts';
import { OperationSchema } from '../schema.ts';
import { createRecovery } from './create-recovery.ts';
import { RecoveryBody, RecoveryPath } from './schema.ts';

const recoverWebhookDeliveries = {
  id: 'recoverWebhookDeliveries',
  method: 'POST',
  path: '/webhook-endpoints/:endpointId/recoveries',
  tag: 'Webhooks',
  summary: 'Deliver what an endpoint did not get',
  description:
    'Starts an operation; follow it at `Location`. `missed` are events since `since` that have no delivery to the endpoint because it was disabled, by its filters as they are now; `dead_letter` and `succeeded` are deliveries to replay. Without `statuses`: `missed` and `dead_letter`. At most 200 deliveries a second become due, and none while 1,000 of the endpoint are open. One recovery of an endpoint at a time.',
  auth: ['webhooks:write'],
  ratePolicy: 'webhook-admin',
  successStatus: 202,
  params: RecoveryPath,
  body: RecoveryBody,
  exampleBody: { since: '2026-11-20T10:00:00.000Z', statuses: ['missed', 'dead_letter'] },
  response: OperationSchema,
  responseHeaders: ['Location', 'Retry-After'],
  problems: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled', 'operation_limit_reached'],
} satisfies Operation;

export const recoveryOperations: readonly Operation[] = [recoverWebhookDeliveries];

export interface RecoveryRouteDependencies {
  clock: Clock;
  operationLinks: OperationLinks;
  sendHints(...hints: Hint[]): void;
}

export function recoveryRoutes({ clock, operationLinks, sendHints }: RecoveryRouteDependencies): Route[] {
  return [
    mutation(recoverWebhookDeliveries, async ({ params, body }, { principal }, transaction) => {
      const order = { accountId: principal.accountId, endpointId: params.endpointId, request: body };
      const operation = await createRecovery(transaction, order, clock);
      return {
        body: toOperation(operation, operationLinks, clock.now()),
        headers: {
          Location: `${API_PREFIX}/operations/${operation.id}`,
          'Retry-After': String(publishedLimits.pollingRetryAfterSeconds),
        },
        afterCommit: () => sendHints(hints.operations),
      };
    }),
  ];
}
