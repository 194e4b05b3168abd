import type { Queryable } from '../../../db/client.ts';
import { type DeliveryRow, deliveryColumns, toDelivery } from './record.ts';
import type { DeliveryRecord } from './schema.ts';

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
