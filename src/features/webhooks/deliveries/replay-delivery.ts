import type { Transaction } from '../../../db/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { type DeliveryRow, lockDelivery, markReplayed } from './list-deliveries.ts';

/** Replays of one delivery, ever (contract/delivery#replay). */
export const REPLAYS_MAX = 10;

/**
 * Puts a finished delivery back to `pending`, due at once, with the whole schedule again (contract/delivery#replay). Throws
 * `webhook_delivery_not_found`, `webhook_delivery_not_replayable`, `webhook_delivery_replay_limit_reached`.
 */
export async function replayDelivery(
  transaction: Transaction,
  deliveryId: string,
  accountId: string,
): Promise<DeliveryRow> {
  const delivery = await lockDelivery(transaction, deliveryId, accountId);
  if (delivery === null) throw new Problem('webhook_delivery_not_found');
  if (delivery.status !== 'succeeded' && delivery.status !== 'dead_letter') {
    throw new Problem('webhook_delivery_not_replayable', { context: { status: delivery.status } });
  }
  if (delivery.replayCount >= REPLAYS_MAX) {
    throw new Problem('webhook_delivery_replay_limit_reached', { context: { limit: REPLAYS_MAX } });
  }
  return markReplayed(transaction, deliveryId);
}
