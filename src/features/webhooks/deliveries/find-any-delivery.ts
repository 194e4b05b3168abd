import type { Queryable } from '../../../db/client.ts';
import { type DeliveryRow, deliveryColumns, toDelivery } from './record.ts';
import type { DeliveryRecord } from './schema.ts';

/** A delivery for operators: also its account, its destination, and the number of its replays. */
export type DeliveryInspection = DeliveryRecord & {
  accountId: string;
  url: string;
  endpointIsDeleted: boolean;
  replayCount: number;
};

interface InspectionRow extends DeliveryRow {
  accountId: string;
  url: string;
  endpointIsDeleted: boolean;
  replayCount: number;
}

/** A delivery of any account, of deleted endpoints too; null when there is none. */
export async function findAnyDelivery(db: Queryable, deliveryId: string): Promise<DeliveryInspection | null> {
  const [row] = await db<InspectionRow[]>`
    select delivery.*, endpoint.account_id, endpoint.url, endpoint.deleted_at is not null as endpoint_is_deleted
    from (select ${deliveryColumns(db)}, replay_count from webhook_deliveries where id = ${deliveryId}) delivery
    join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id`;
  if (row === undefined) return null;
  const { accountId, url, endpointIsDeleted, replayCount, ...delivery } = row;
  return { ...toDelivery(delivery), accountId, url, endpointIsDeleted, replayCount };
}

/** The detail of each failed attempt, which only operators see, by number of the attempt. */
export async function findAttemptDetails(
  db: Queryable,
  deliveryId: string,
): Promise<ReadonlyMap<number, string>> {
  const rows = await db<{ attemptNumber: number; errorDetail: string }[]>`
    select attempt_number, error_detail from webhook_attempts
    where delivery_id = ${deliveryId} and error_detail is not null`;
  return new Map(rows.map(({ attemptNumber, errorDetail }) => [attemptNumber, errorDetail]));
}
