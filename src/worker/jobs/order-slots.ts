import { advanceOrderSlots, type OrderSlotsContext } from '../../features/orders/slots/advance-slots.ts';
import { isSlotDue } from '../../features/orders/slots/due-slot-rows.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

export interface OrderSlotsJobDependencies {
  context: OrderSlotsContext;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/** Follows the nonce accounts of order slots until the signal aborts (contract/orders#slot-status). */
export async function runOrderSlots({
  context,
  dueWork,
  log,
  signal,
}: OrderSlotsJobDependencies): Promise<void> {
  const wakeup = new Wakeup();
  const unwatch = dueWork.watch(isSlotDue, wakeup);
  await runLoop({
    name: 'order-slots',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    step: () => advanceOrderSlots(context),
  });
  unwatch();
}
