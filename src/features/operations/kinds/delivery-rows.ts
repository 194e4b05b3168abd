import type { Transaction } from '../../../db/client.ts';

/** Adds to the list of deliveries that are to be replayed. */
export async function addDeliveries(
  transaction: Transaction,
  operationId: string,
  deliveryIds: readonly string[],
): Promise<void> {
  await transaction`
    insert into operation_deliveries (operation_id, delivery_id)
    select ${operationId}, id from unnest(${deliveryIds as string[]}::uuid[]) as id`;
}

/** Takes up to `limit` deliveries off the list, oldest first; their ids. */
export async function takeDeliveries(
  transaction: Transaction,
  operationId: string,
  limit: number,
): Promise<string[]> {
  const taken = await transaction<{ deliveryId: string }[]>`
    delete from operation_deliveries where operation_id = ${operationId} and delivery_id in (
      select delivery_id from operation_deliveries where operation_id = ${operationId}
      order by delivery_id limit ${limit})
    returning delivery_id`;
  return taken.map(({ deliveryId }) => deliveryId);
}

/** Deletes the list of deliveries that were still to be replayed. */
export async function cleanUpDeliveryReplay(transaction: Transaction, operationId: string): Promise<void> {
  await transaction`delete from operation_deliveries where operation_id = ${operationId}`;
}
