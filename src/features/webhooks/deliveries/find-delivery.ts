import type { Queryable } from '../../../db/client.ts';
import { type DeliveryRow, deliveryColumns } from './record.ts';

/** A delivery to an endpoint that the account has or had; null when there is none. */
export async function findDelivery(
  db: Queryable,
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
