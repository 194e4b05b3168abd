import type { orders } from '../../db/schema/orders.ts';
import type { OrderRefusal, orderVenues } from '../../db/values/orders.ts';
import { type LandingRow, toLanded, toLanding } from '../../intents/land/landing.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import type { Order } from './schema.ts';
import type { OrderReason, OrderStatus } from './state.ts';

type Columns = typeof orders.$inferSelect;

/** A row of `orders`, with its transactions and what is known of its landing. */
export interface OrderRow extends Omit<Columns, 'reason' | 'refusal' | 'status'>, LandingRow {
  status: OrderStatus;
  reason: OrderReason | null;
  refusal: OrderRefusal | null;
  transactions: { id: string; venue: (typeof orderVenues)[number]; signed: boolean }[];
  transactionSignature: string | null;
}

/** The public record (contract/orders#order). */
export function toOrder(row: OrderRow): Order {
  const landing = toLanding(row);
  return {
    id: row.id,
    status: row.status,
    walletAddress: row.walletAddress,
    mintAddress: row.mintAddress,
    side: row.side,
    amountRaw: row.amountRaw,
    limitRaw: row.limitRaw,
    slippageBps: row.slippageBps,
    trigger: { price: normaliseDecimal(row.triggerPrice), when: row.triggerWhen, of: row.triggerOf },
    slotId: row.slotId,
    oco: row.ocoGroup,
    route: row.sendRoute,
    priorityLevel: row.priorityLevel,
    tipLamports: String(row.tipLamports),
    transactions: row.transactions.map(({ id, venue, signed }) => ({ id, venue, signed })),
    triggeredBy: triggeredBy(row),
    attempts: row.attempts,
    refusal: row.refusal,
    reason: row.reason,
    intentId: row.intentId,
    transactionSignature: row.transactionSignature,
    landed: landing === null ? null : toLanded(landing),
    advanceIntentId: row.advanceIntentId,
    version: row.version,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    openedAt: row.openedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

function triggeredBy(row: OrderRow): Order['triggeredBy'] {
  const { triggerTradeId, triggerSlot, triggerObservedPrice, triggeredAt } = row;
  if (
    triggerTradeId === null ||
    triggerSlot === null ||
    triggerObservedPrice === null ||
    triggeredAt === null
  )
    return null;
  return {
    tradeId: triggerTradeId,
    slot: String(triggerSlot),
    price: normaliseDecimal(triggerObservedPrice),
    at: triggeredAt.toISOString(),
  };
}
