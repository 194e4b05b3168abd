import type { Transaction } from '../../../db/client.ts';
import { concernsHiddenToken } from '../../../db/hidden-events.ts';
import { publishedLimits } from '../../../shared/contract-limits.ts';
import { Problem } from '../../../shared/problem.ts';
import { type EndpointCaller, requireEndpointScopes } from '../../../shared/webhooks/endpoint-scopes.ts';
import { type DeliveryRow, type DeliveryStatus, deliveryColumns } from './record.ts';

/** Maximum number of replays of one delivery (contract/delivery#replay). */
export const REPLAYS_MAX: number = publishedLimits.webhookReplaysPerDelivery;

/**
 * Makes a finished delivery `pending` and due at once, with the whole schedule again
 * (contract/delivery#replay). Throws `webhook_delivery_not_found`, `insufficient_scope`,
 * `webhook_delivery_not_replayable`, `webhook_delivery_replay_limit_reached`.
 */
export async function replayDelivery(
  transaction: Transaction,
  deliveryId: string,
  caller: EndpointCaller,
): Promise<DeliveryRow> {
  const delivery = await lockDelivery(transaction, deliveryId, caller.accountId);
  const endpoint = delivery === null ? null : await holdEndpoint(transaction, delivery.endpointId);
  if (delivery === null || endpoint === null) throw new Problem('webhook_delivery_not_found');
  requireEndpointScopes(caller, endpoint.eventScopes);
  if (delivery.status !== 'succeeded' && delivery.status !== 'dead_letter') {
    const { status } = delivery;
    throw new Problem('webhook_delivery_not_replayable', {
      ...(status === 'retrying' && {
        detail: 'The delivery is retrying: `retryWebhookDelivery` makes its next attempt now.',
      }),
      context: { status },
    });
  }
  if (endpoint.isDeleted || endpoint.status !== 'enabled') throw inactiveProblem(delivery, endpoint);
  if (delivery.isHidden) {
    throw new Problem('webhook_delivery_not_replayable', {
      detail: 'The event is about a token that is not visible.',
      context: { status: delivery.status },
    });
  }
  if (delivery.replayCount >= REPLAYS_MAX) {
    throw new Problem('webhook_delivery_replay_limit_reached', { context: { limit: REPLAYS_MAX } });
  }
  return markReplayed(transaction, deliveryId);
}

/**
 * A replay to an inactive endpoint would end at once as `endpoint_disabled` or `endpoint_deleted`, and count
 * as one of the ten.
 */
function inactiveProblem({ status }: LockedDelivery, endpoint: HeldEndpoint): Problem {
  if (endpoint.isDeleted)
    return new Problem('webhook_delivery_not_replayable', {
      detail: 'The endpoint of the delivery is deleted.',
      context: { status, endpointStatus: 'deleted' },
    });
  return new Problem('webhook_delivery_not_replayable', {
    detail: 'The endpoint of the delivery is disabled: enable it first.',
    context: { status, endpointStatus: endpoint.status, disabledReason: endpoint.disabledReason },
  });
}

interface LockedDelivery {
  endpointId: string;
  status: DeliveryStatus;
  replayCount: number;
  /** Its event is about a hidden token. */
  isHidden: boolean;
}

/**
 * A delivery to an endpoint that the account has or had, locked until the transaction ends; null when there
 * is none.
 */
async function lockDelivery(
  transaction: Transaction,
  deliveryId: string,
  accountId: string,
): Promise<LockedDelivery | null> {
  const [row] = await transaction<LockedDelivery[]>`
    select delivery.endpoint_id, delivery.status, delivery.replay_count, exists (
      select from events where events.id = delivery.event_id and ${concernsHiddenToken(transaction, transaction`events`)}) as is_hidden
    from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
    where delivery.id = ${deliveryId} and endpoint.account_id = ${accountId}
    for update of delivery`;
  return row ?? null;
}

interface HeldEndpoint {
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  isDeleted: boolean;
  /** Null for all scopes. */
  eventScopes: string[] | null;
}

/**
 * Keeps the endpoint from being disabled or deleted until the transaction ends. Locks it after its delivery,
 * in the order of the relay, so that the two cannot deadlock.
 */
async function holdEndpoint(transaction: Transaction, endpointId: string): Promise<HeldEndpoint | null> {
  const [row] = await transaction<HeldEndpoint[]>`
    select status, disabled_reason, deleted_at is not null as is_deleted, event_scopes from webhook_endpoints
    where id = ${endpointId} for share`;
  return row ?? null;
}

/** Due at once by the clock of the database, which the relay uses too. */
async function markReplayed(transaction: Transaction, deliveryId: string): Promise<DeliveryRow> {
  const [row] = await transaction<DeliveryRow[]>`
    update webhook_deliveries
    set status = 'pending', next_attempt_at = now(), schedule_index = 0, replay_count = replay_count + 1, updated_at = now()
    where id = ${deliveryId}
    returning ${deliveryColumns(transaction)}`;
  if (row === undefined) throw new Error('a locked delivery vanished');
  return row;
}
