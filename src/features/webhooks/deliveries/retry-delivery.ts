import type { Transaction } from '../../../db/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { type EndpointCaller, requireEndpointScopes } from '../../../shared/webhooks/endpoint-scopes.ts';
import { findDelivery } from './find-delivery.ts';
import { type DeliveryRow, deliveryColumns } from './record.ts';

/**
 * Makes the next attempt of a `retrying` delivery due at once; it stays the attempt of the schedule that it is
 * (contract/delivery#retry-now). Throws `webhook_delivery_not_found`, `insufficient_scope`,
 * `webhook_delivery_not_retrying`.
 */
export async function retryDelivery(
  transaction: Transaction,
  deliveryId: string,
  caller: EndpointCaller,
): Promise<DeliveryRow> {
  const { accountId } = caller;
  const delivery = await findDelivery(transaction, deliveryId, accountId);
  if (delivery === null) throw new Problem('webhook_delivery_not_found');
  requireEndpointScopes(caller, await readEventScopes(transaction, delivery.endpointId));
  // Due by the database's clock, which the relay goes by; never later than it was.
  const [row] = await transaction<DeliveryRow[]>`
    update webhook_deliveries set next_attempt_at = least(next_attempt_at, now()), updated_at = now()
    where id = ${deliveryId} and status = 'retrying'
    returning ${deliveryColumns(transaction)}`;
  if (row !== undefined) return row;
  const now = await findDelivery(transaction, deliveryId, accountId);
  throw new Problem('webhook_delivery_not_retrying', { context: { status: now?.status ?? delivery.status } });
}

async function readEventScopes(transaction: Transaction, endpointId: string): Promise<string[] | null> {
  const [row] = await transaction<{ eventScopes: string[] | null }[]>`
    select event_scopes from webhook_endpoints where id = ${endpointId}`;
  if (row === undefined) throw new Error('a delivery has no endpoint');
  return row.eventScopes;
}
