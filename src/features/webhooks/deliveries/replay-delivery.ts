import type { Transaction } from '../../../db/client.ts';
import { publishedLimits } from '../../../shared/contract-limits.ts';
import { Problem } from '../../../shared/problem.ts';
import { type EndpointCaller, requireEndpointScopes } from '../../../shared/webhooks/endpoint-scopes.ts';
import { type DeliveryRow, type DeliveryStatus, deliveryColumns } from './record.ts';

/** Replays of one delivery, ever (contract/delivery#replay). */
export const REPLAYS_MAX: number = publishedLimits.webhookReplaysPerDelivery;

/**
 * Puts a finished delivery back to `pending`, due at once, with the whole schedule again (contract/delivery#replay). Throws
 * `webhook_delivery_not_found`, `insufficient_scope`, `webhook_delivery_not_replayable`, `webhook_delivery_replay_limit_reached`.
 */
export async function replayDelivery(
  transaction: Transaction,
  deliveryId: string,
  caller: EndpointCaller,
): Promise<DeliveryRow> {
  const delivery = await lockDelivery(transaction, deliveryId, caller.accountId);
  if (delivery === null) throw new Problem('webhook_delivery_not_found');
  requireEndpointScopes(caller, delivery.eventScopes);
  if (delivery.status !== 'succeeded' && delivery.status !== 'dead_letter') {
    throw new Problem('webhook_delivery_not_replayable', { context: { status: delivery.status } });
  }
  if (delivery.replayCount >= REPLAYS_MAX) {
    throw new Problem('webhook_delivery_replay_limit_reached', { context: { limit: REPLAYS_MAX } });
  }
  return markReplayed(transaction, deliveryId);
}

interface LockedDelivery {
  status: DeliveryStatus;
  replayCount: number;
  /** Of the endpoint; null: all. */
  eventScopes: string[] | null;
}

/** A delivery of the account's endpoints, locked until the transaction ends; null when there is none. */
async function lockDelivery(
  transaction: Transaction,
  deliveryId: string,
  accountId: string,
): Promise<LockedDelivery | null> {
  const [row] = await transaction<LockedDelivery[]>`
    select delivery.status, delivery.replay_count, endpoint.event_scopes
    from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
    where delivery.id = ${deliveryId} and endpoint.account_id = ${accountId} and endpoint.deleted_at is null
    for update of delivery`;
  return row ?? null;
}

/** Due at once by the database's clock, which the relay goes by. */
async function markReplayed(transaction: Transaction, deliveryId: string): Promise<DeliveryRow> {
  const [row] = await transaction<DeliveryRow[]>`
    update webhook_deliveries
    set status = 'pending', next_attempt_at = now(), schedule_index = 0, replay_count = replay_count + 1, updated_at = now()
    where id = ${deliveryId}
    returning ${deliveryColumns(transaction)}`;
  if (row === undefined) throw new Error('a locked delivery vanished');
  return row;
}
