import type { PriorityLevel, SendRoute } from './transaction-intents.ts';

/** Status of an order (contract/orders#order-status). */
export const orderStatuses = [
  'unsigned',
  'open',
  'triggered',
  'landed',
  'failed',
  'cancelled',
  'expired',
  'voided',
] as const;

/** On which side of its price an order triggers. */
export const orderTriggerSides = ['at_or_above', 'at_or_below'] as const;

/** Which price of a trade an order compares: what the trade paid, or the pool's price after it. */
export const orderTriggerPrices = ['trade', 'spot'] as const;

/** Where the transaction of an order trades: on the curve, or in the pool after the migration. */
export const orderVenues = ['curve', 'amm'] as const;

/** Why the chain would refuse the transaction of an order, when it was simulated last. */
export type OrderRefusal = {
  reason: 'insufficient_funds' | 'program_error' | 'refused';
  /** Null where no program has numbered the error. */
  programError: { program: string; number: number; name: string | null } | null;
};

/** How a transaction of an order is sent: the public record `Sending`. */
export interface StoredSending {
  route: SendRoute;
  priorityLevel: PriorityLevel | null;
  computeUnitPrice: string;
  computeUnitLimit: number;
  priorityFeeLamports: string;
  tipLamports: string;
  tipService: string | null;
}
