import type { Queryable } from '../../../db/client.ts';
import type { Reader } from '../../../db/look-ups.ts';
import { type DeliveryRow, deliveryColumns, toDelivery } from './record.ts';
import type { DeliveryRecord } from './schema.ts';

/** A delivery to an endpoint that the account has or had; null when there is none. */
export async function findDelivery(
  db: Reader,
  deliveryId: string,
  accountId: string,
): Promise<DeliveryRow | null> {
  const [row] = await db<DeliveryRow[]>`
    select ${deliveryColumns(db)} from webhook_deliveries as delivery
    where id = ${deliveryId} and exists (
      select from webhook_endpoints as endpoint
      where endpoint.id = delivery.endpoint_id and endpoint.account_id = ${accountId})`;
  return row ?? null;
}

/** Deliveries by id, of any account. */
export async function findStreamedDeliveries(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, DeliveryRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await db<DeliveryRow[]>`
    select ${deliveryColumns(db)} from webhook_deliveries where id = any(${ids as string[]}::uuid[])`;
  return new Map(rows.map((row) => [row.id, toDelivery(row)]));
}
