import type { Database, Transaction } from '../../../db/client.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import { changeOrder } from '../change-orders.ts';
import { lockOrders } from '../order-rows.ts';
import type { OrderRow } from '../record.ts';
import type { OrderCheck } from './check-order.ts';
import { type CurveProgress, curveProgress, type DueOrder } from './claim-orders.ts';
import { countsAsAttempt, judgeUnsent, type UnsentOrder } from './judge-check.ts';

export interface SettleContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
}

/** What became of it; null when the order has changed since it was read, and nothing was done. */
export type UnsentOutcome = { settled: UnsentOrder; order: OrderRow } | null;

/**
 * Decides about a triggered order that was not sent: it waits, is open again, or ends. Under the lock of its token, so
 * that no trade crosses the price between the look at it and the order's return to `open`.
 */
export async function settleUnsent(
  context: SettleContext,
  due: DueOrder,
  check: Exclude<OrderCheck, { outcome: 'sendable' }>,
): Promise<UnsentOutcome> {
  return await context.db.begin(async (transaction) => {
    await lockToken(transaction, due.mintAddress);
    const [order] = await lockOrders(transaction, [due.id]);
    if (order?.version !== due.version || order.status !== 'triggered' || order.intentId !== null)
      return null;
    const { curve, isBeyond } = await readMarket(transaction, due.id);
    const settled = judgeUnsent({ check, attempts: order.attempts, curve, isBeyond });
    const refused = check.outcome === 'refused' && { refusal: check.refusal };
    const attempts = order.attempts + (countsAsAttempt({ check, curve }) ? 1 : 0);
    switch (settled.kind) {
      case 'ends': {
        const { to, reason } = settled;
        const after = await changeOrder(transaction, { order, to, reason, attempts, ...refused }, context);
        return after && { settled, order: after };
      }
      case 'reopens': {
        const after = await changeOrder(transaction, { order, to: 'open', ...refused }, context);
        return after && { settled, order: after };
      }
      case 'waits': {
        const dueAt = new Date(context.clock.now().getTime() + settled.pauseMs);
        const refusal = check.outcome === 'refused' ? check.refusal : order.refusal;
        // Only a refusal changes the public record.
        const versions = check.outcome === 'refused' ? 1 : 0;
        await transaction`
          update orders set attempts = ${attempts}, next_attempt_at = ${dueAt},
            refusal = ${refusal && transaction.json({ ...refusal })}::jsonb, version = version + ${versions}
          where id = ${due.id}`;
        return { settled, order };
      }
    }
  });
}

/** The lock that writers of trades take as well. */
async function lockToken(transaction: Transaction, mintAddress: string): Promise<void> {
  await transaction`select from tokens where mint_address = ${mintAddress} for share`;
}

/**
 * Whether the price of the market is beyond the trigger, whatever the trades paid; it counts as beyond while it is not
 * known.
 */
async function readMarket(
  transaction: Transaction,
  orderId: string,
): Promise<{ curve: CurveProgress; isBeyond: boolean }> {
  const [row] = await transaction<{ curve: CurveProgress; isBeyond: boolean }[]>`
    select ${curveProgress(transaction)} as curve, coalesce(
      case when o.trigger_when = 'at_or_above' then m.price_in_sol >= o.trigger_price
        else m.price_in_sol <= o.trigger_price end,
      true) as is_beyond
    from orders o join tokens t on t.mint_address = o.mint_address
      left join token_markets m on m.mint_address = o.mint_address
    where o.id = ${orderId}`;
  if (row === undefined) throw new Error(`a locked order has no token: ${orderId}`);
  return row;
}
