import type { Queryable, Transaction } from '../../../db/client.ts';
import { concernsHiddenToken } from '../../../db/hidden-events.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';
import type { DeliveryStatus } from './record.ts';
import { REPLAYS_MAX } from './replay-delivery.ts';

/** Statuses from which a delivery can be replayed (contract/delivery#replay). */
export type ReplayableStatus = Extract<DeliveryStatus, 'succeeded' | 'dead_letter'>;

/** Whether an endpoint gets deliveries now. */
export interface EndpointCondition {
  accountId: string;
  condition: 'enabled' | 'disabled' | 'deleted';
}

/** Any account's endpoint, deleted ones included; null when there never was one. */
export async function findEndpointCondition(
  db: Queryable,
  endpointId: string,
): Promise<EndpointCondition | null> {
  const [row] = await db<EndpointCondition[]>`
    select account_id, case when deleted_at is null then status else 'deleted' end as condition
    from webhook_endpoints where id = ${endpointId}`;
  return row ?? null;
}

/** A delivery's id begins with the time of its creation; clocks may have been set back by this much. */
const CLOCK_STEP_MS = 60_000;

/** Ids of an endpoint's deliveries in one status, in the order of their creation, after `afterId`. */
export async function listFinishedDeliveries(
  db: Queryable,
  endpointId: string,
  { status, since, afterId, limit }: DeliverySelection,
): Promise<string[]> {
  const from = afterId ?? firstUuidOf(since === null ? 0 : since.getTime() - CLOCK_STEP_MS);
  const rows = await db<{ id: string }[]>`
    select id from webhook_deliveries
    where endpoint_id = ${endpointId} and status = ${status} and id > ${from}
      ${since === null ? db`` : db`and created_at >= ${since}`}
    order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export interface DeliverySelection {
  status: ReplayableStatus;
  /** Created at this time or later; null: ever. */
  since: Date | null;
  afterId: string | null;
  limit: number;
}

/** What became of deliveries that were to be replayed. */
export interface ReplayCounts {
  replayed: number;
  /** Replayed 10 times before. */
  limitReached: number;
  /** Not in such a status any more: under way again, or of another outcome by now; or about a token that is hidden. */
  notReplayable: number;
}

/** As `replayDelivery`, for many of one endpoint at once: those still in one of `statuses` are due at once, the others counted. */
export async function replayDeliveries(
  transaction: Transaction,
  endpointId: string,
  statuses: readonly ReplayableStatus[],
  deliveryIds: readonly string[],
): Promise<ReplayCounts> {
  const [row] = await transaction<{ replayed: number; limitReached: number }[]>`
    with chosen as materialized (
      select id, replay_count from webhook_deliveries
      where id = any(${deliveryIds as string[]}::uuid[]) and endpoint_id = ${endpointId} and status = any(${[...statuses]}::text[])
        and not exists (select from events where events.id = event_id and ${concernsHiddenToken(transaction, transaction`events`)})
      -- One order for all, so that two replays never wait for each other.
      order by id for update
    ), replayed as (
      update webhook_deliveries delivery set
        status = 'pending', next_attempt_at = now(), schedule_index = 0, replay_count = delivery.replay_count + 1,
        updated_at = now()
      from chosen where delivery.id = chosen.id and chosen.replay_count < ${REPLAYS_MAX}
      returning delivery.id
    )
    select (select count(*)::int from replayed) as replayed,
      (select count(*)::int from chosen where replay_count >= ${REPLAYS_MAX}) as limit_reached`;
  const { replayed = 0, limitReached = 0 } = row ?? {};
  return { replayed, limitReached, notReplayable: deliveryIds.length - replayed - limitReached };
}
