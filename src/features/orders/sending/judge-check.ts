import type { OrderReason, OrderStatus } from '../state.ts';
import type { OrderCheck } from './check-order.ts';
import type { DueOrder } from './claim-orders.ts';

/** Pauses after refused simulations. One more refusal ends the order (contract/orders#sending). */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000] as const;
/** Between two looks at an order that no simulation can judge yet. */
const UNKNOWN_PAUSE_MS = 1_000;
/** Between two looks at a token that has left its curve and is not traded in its pool yet. */
const BETWEEN_PAUSE_MS = 5_000;
/** Between two looks at an order that no key of this worker opens. */
const UNREADABLE_PAUSE_MS = 30_000;

/** What becomes of an order that was not sent. */
export type UnsentOrder =
  | { kind: 'ends'; to: Extract<OrderStatus, 'failed' | 'voided'>; reason: OrderReason }
  | { kind: 'reopens' }
  | { kind: 'waits'; pauseMs: number };

export interface UnsentFacts {
  check: Exclude<OrderCheck, { outcome: 'sendable' }>;
  /** Refusals before this one. */
  attempts: number;
  curve: DueOrder['curve'];
  /** Whether the price is still beyond the trigger. */
  isBeyond: boolean;
}

/** An order whose price has gone back waits for the next trade, whatever its check says, unless it can never land. */
export function judgeUnsent({ check, attempts, curve, isBeyond }: UnsentFacts): UnsentOrder {
  switch (check.outcome) {
    case 'nonce_spent':
    case 'migrated':
      return { kind: 'ends', to: 'voided', reason: check.outcome };
    case 'unreadable':
      return isBeyond ? { kind: 'waits', pauseMs: UNREADABLE_PAUSE_MS } : { kind: 'reopens' };
    case 'unknown':
      return isBeyond ? { kind: 'waits', pauseMs: UNKNOWN_PAUSE_MS } : { kind: 'reopens' };
    case 'refused': {
      if (!isBeyond) return { kind: 'reopens' };
      // Nothing trades such a token, so its price stays where it is until the pool has it.
      if (curve === 'between') return { kind: 'waits', pauseMs: BETWEEN_PAUSE_MS };
      const pauseMs = PAUSES_MS[attempts];
      return pauseMs === undefined
        ? { kind: 'ends', to: 'failed', reason: 'would_fail' }
        : { kind: 'waits', pauseMs };
    }
  }
}

/** Whether the check counts as an attempt. */
export function countsAsAttempt({ check, curve }: Pick<UnsentFacts, 'check' | 'curve'>): boolean {
  return check.outcome === 'refused' && curve !== 'between';
}
