import type { orderStatuses } from '../../db/values/orders.ts';
import type { EventName } from '../../shared/events/catalogue.ts';

export type OrderStatus = (typeof orderStatuses)[number];

/**
 * Every transition of an order (contract/orders#order-status), with its event. There are no others. A triggered order
 * opens again when its trade was reverted, or when the price has gone back before the order was sent.
 */
export const orderTransitions = {
  unsigned: {
    open: 'order.opened',
    cancelled: 'order.cancelled',
    expired: 'order.expired',
    voided: 'order.voided',
  },
  open: {
    triggered: 'order.triggered',
    cancelled: 'order.cancelled',
    expired: 'order.expired',
    voided: 'order.voided',
  },
  triggered: {
    open: 'order.opened',
    landed: 'order.landed',
    failed: 'order.failed',
    cancelled: 'order.cancelled',
    expired: 'order.expired',
    voided: 'order.voided',
  },
  landed: {},
  failed: {},
  cancelled: {},
  expired: {},
  voided: {},
} as const satisfies Record<OrderStatus, Partial<Record<OrderStatus, EventName>>>;

/** The event of a transition; null when the transition does not exist. */
export function orderEvent(from: OrderStatus, to: OrderStatus): EventName | null {
  const events: Partial<Record<OrderStatus, EventName>> = orderTransitions[from];
  return events[to] ?? null;
}

/** States in which the transaction of an order may still land through the service. */
export const liveOrderStatuses = ['unsigned', 'open', 'triggered'] as const;

export function isOrderEnded(status: OrderStatus): boolean {
  return Object.keys(orderTransitions[status]).length === 0;
}

/** Why an order ended, by the status in which it did (contract/orders#reasons). */
export const orderReasons = {
  failed: ['would_fail', 'transaction_failed', 'transaction_lost'],
  cancelled: ['requested', 'other_landed'],
  expired: ['not_signed', 'not_triggered', 'not_sent'],
  voided: ['withdrawn', 'nonce_spent', 'migrated', 'slot_closed'],
} as const satisfies Partial<Record<OrderStatus, readonly string[]>>;

export type OrderReason = (typeof orderReasons)[keyof typeof orderReasons][number];
export const everyOrderReason: readonly OrderReason[] = Object.values(orderReasons).flat();
