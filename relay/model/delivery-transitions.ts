import type { Queryable } from '../../src/db/client.ts';
import type { deliveryStatuses } from '../../src/db/values/webhooks.ts';

type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * Every change of a delivery's status by a relay (contract/delivery#transitions). Each statement of the relay that
 * writes a status names its transition (test/unit/relay-transitions.test.ts). The api makes one other change: a replay
 * (src/features/webhooks).
 */
export const transitions = {
  created: { from: [], to: 'pending' },
  createdAndClaimed: { from: [], to: 'processing' },
  claimed: { from: ['pending', 'retrying'], to: 'processing' },
  /** Claimed, but not sent. */
  returned: { from: ['processing'], to: 'retrying' },
  /** From `retrying` if the lease expired, no relay claimed the delivery again, and the result arrived late. */
  succeeded: { from: ['processing', 'retrying'], to: 'succeeded' },
  failed: { from: ['processing', 'retrying'], to: 'retrying' },
  exhausted: { from: ['processing', 'retrying'], to: 'dead_letter' },
  leaseExpired: { from: ['processing'], to: 'retrying' },
  endpointInactive: { from: ['pending', 'retrying'], to: 'dead_letter' },
} as const satisfies Record<string, { from: readonly DeliveryStatus[]; to: DeliveryStatus }>;

export type Transition = keyof typeof transitions;

/** The transitions by an attempt's result. */
export type AttemptTransition = 'succeeded' | 'failed' | 'exhausted';

/** SQL: the status that a transition leads to. */
export function statusAfter(sql: Queryable, transition: Transition) {
  return sql.unsafe(`'${transitions[transition].to}'`);
}

/** SQL: the statuses from which a transition may start, as literals, because partial indexes see no parameter. */
export function statusesBefore(
  sql: Queryable,
  transition: Exclude<Transition, 'created' | 'createdAndClaimed'>,
) {
  return sql.unsafe(`(${transitions[transition].from.map((status) => `'${status}'`).join(', ')})`);
}

/** SQL: whether a delivery waits for an attempt, in the words of the partial index of due times. */
export function isOpen(sql: Queryable) {
  return sql`status in ('pending', 'retrying') and lease_expires_at is null`;
}
