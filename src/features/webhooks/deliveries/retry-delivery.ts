import type { Transaction } from '../../../db/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { type EndpointCaller, requireEndpointScopes } from '../../../shared/webhooks/endpoint-scopes.ts';
import { findDelivery } from './find-delivery.ts';
import { type DeliveryRow, deliveryColumns } from './record.ts';

/**
 * Makes the next attempt of a `retrying` delivery due at once, or when the pause of its endpoint ends. It
 * counts as the same attempt of the schedule (contract/delivery#retry-now). Throws
 * `webhook_delivery_not_found`, `insufficient_scope`, `webhook_delivery_not_retrying`.
 */
export async function retryDelivery(
  transaction: Transaction,
  deliveryId: string,
  caller: EndpointCaller,
): Promise<DeliveryRow> {
  const { accountId } = caller;
  const delivery = await findDelivery(transaction, deliveryId, accountId);
  if (delivery === null) throw new Problem('webhook_delivery_not_found');
  const endpoint = await readEndpoint(transaction, delivery.endpointId);
  requireEndpointScopes(caller, endpoint.eventScopes);
  if (endpoint.isDeleted || endpoint.status !== 'enabled') throw inactiveProblem(delivery, endpoint);
  // Due by the clock of the database, which the relay uses too; never later than before.
  const [row] = await transaction<DeliveryRow[]>`
    update webhook_deliveries set next_attempt_at = least(next_attempt_at, now()), updated_at = now()
    where id = ${deliveryId} and status = 'retrying'
    returning ${deliveryColumns(transaction)}`;
  if (row !== undefined) return row;
  const now = await findDelivery(transaction, deliveryId, accountId);
  throw new Problem('webhook_delivery_not_retrying', { context: { status: now?.status ?? delivery.status } });
}

/**
 * No more attempts are made: the delivery ends, or has ended, as `endpoint_disabled` or `endpoint_deleted`.
 */
function inactiveProblem({ status }: DeliveryRow, endpoint: EndpointState): Problem {
  const endpointStatus = endpoint.isDeleted ? 'deleted' : endpoint.status;
  return new Problem('webhook_delivery_not_retrying', {
    detail: `The endpoint of the delivery is ${endpointStatus}.`,
    context: { status, endpointStatus },
  });
}

interface EndpointState {
  status: 'enabled' | 'disabled';
  isDeleted: boolean;
  /** Null for all scopes. */
  eventScopes: string[] | null;
}

async function readEndpoint(transaction: Transaction, endpointId: string): Promise<EndpointState> {
  const [row] = await transaction<EndpointState[]>`
    select status, deleted_at is not null as is_deleted, event_scopes from webhook_endpoints
    where id = ${endpointId}`;
  if (row === undefined) throw new Error('a delivery has no endpoint');
  return row;
}
