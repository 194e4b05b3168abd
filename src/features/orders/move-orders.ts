import type { Transaction } from '../../db/client.ts';
import type { OrderMoves } from '../../indexer/store/trigger-orders.ts';
import { changeOrders, type OrderChange, type OrderChangeContext } from './change-orders.ts';
import { lockOrders } from './order-rows.ts';
import type { OrderRow } from './record.ts';

/** Moves orders for ingest, which knows nothing of their records and events. */
export function createOrderMoves(context: OrderChangeContext): OrderMoves {
  return {
    async trigger(transaction, triggers) {
      const orders = await ordersById(
        transaction,
        triggers.map(({ orderId }) => orderId),
      );
      // In the given order: the events have it too.
      const changes = triggers.flatMap(({ orderId, ...trigger }): OrderChange[] => {
        const order = orders.get(orderId);
        return order?.status === 'open' ? [{ order, to: 'triggered', trigger }] : [];
      });
      await changeOrders(transaction, changes, context);
    },
    async takeBack(transaction, orderIds) {
      const orders = await ordersById(transaction, orderIds);
      const changes = orderIds.flatMap((id): OrderChange[] => {
        const order = orders.get(id);
        return order?.status === 'triggered' && order.intentId === null ? [{ order, to: 'open' }] : [];
      });
      await changeOrders(transaction, changes, context);
    },
  };
}

async function ordersById(
  transaction: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OrderRow>> {
  const orders = await lockOrders(transaction, ids);
  return new Map(orders.map((order) => [order.id, order]));
}
