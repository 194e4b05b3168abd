import type { deliveryStatuses } from '../src/db/schema/webhooks.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * Who moves a delivery from where to where (contract/delivery#transitions). Every statement of the relay that writes a status names its
 * row here; a replay is the api's only write.
 */
export const transitions = {
  claimed: { from: ['pending', 'retrying'], to: 'processing' },
  /** `retrying` is possible too: the lease ran out, nobody took over yet, and the result came after all. */
  succeeded: { from: ['processing', 'retrying'], to: 'succeeded' },
  failed: { from: ['processing', 'retrying'], to: 'retrying' },
  exhausted: { from: ['processing', 'retrying'], to: 'dead_letter' },
  leaseExpired: { from: ['processing'], to: 'retrying' },
  endpointInactive: { from: ['pending', 'retrying'], to: 'dead_letter' },
  replayed: { from: ['succeeded', 'dead_letter'], to: 'pending' },
} as const satisfies Record<string, { from: readonly DeliveryStatus[]; to: DeliveryStatus }>;
