import {
  type EndContext,
  endSentOrders,
  expireOrders,
  isOrderEndDue,
} from '../../features/orders/sending/end-orders.ts';
import { voidMigratedOrders } from '../../features/orders/sending/void-orders.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, type Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

export interface OrderEndsJobDependencies {
  context: EndContext;
  /** Woken when intents of orders have ended. */
  wakeup: Wakeup;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

const BATCH_MAX = 200;
/** Between two looks at the orders of tokens that have left their curve. */
const MIGRATED_EVERY_MS = 10_000;

/** Ends orders by their intents, the clock and migrations until the signal aborts (contract/orders#ends). */
export async function runOrderEnds({
  context,
  wakeup,
  dueWork,
  log,
  signal,
}: OrderEndsJobDependencies): Promise<void> {
  let nextLookMs = 0;
  const unwatch = dueWork.watch(isOrderEndDue, wakeup);
  await runLoop({
    name: 'order-ends',
    log,
    signal,
    wakeup,
    idleMs: DUE_FALLBACK_MS,
    async step() {
      const ended = await endSentOrders(context, BATCH_MAX);
      const expired = await expireOrders(context, BATCH_MAX);
      const nowMs = performance.now();
      if (nowMs >= nextLookMs) {
        const voided = await voidMigratedOrders(context, BATCH_MAX);
        nextLookMs = voided === BATCH_MAX ? 0 : nowMs + MIGRATED_EVERY_MS;
      }
      return ended >= BATCH_MAX || expired === BATCH_MAX;
    },
  });
  unwatch();
}
