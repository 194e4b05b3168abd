import { isOrderDue } from '../../features/orders/sending/claim-orders.ts';
import { OrderSender, type OrderSenderDependencies } from '../../features/orders/sending/order-sender.ts';
import { runLoop, type Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

export interface OrderSendsJobDependencies {
  /** Woken when ingest has triggered orders. */
  wakeup: Wakeup;
  dueWork: DueWork;
  signal: AbortSignal;
  dependencies: OrderSenderDependencies;
  /** Resolves when the sends that have begun are over. */
  drain(): Promise<void>;
}

/** Sends triggered orders until the signal aborts; any number of workers may do it (contract/orders#sending). */
export async function runOrderSends({
  wakeup,
  dueWork,
  signal,
  dependencies,
  drain,
}: OrderSendsJobDependencies): Promise<void> {
  const sender = new OrderSender(dependencies);
  const unwatch = dueWork.watch(isOrderDue, wakeup);
  await runLoop({
    name: 'order-sends',
    log: dependencies.log,
    signal,
    wakeup,
    idleMs: DUE_FALLBACK_MS,
    step: () => sender.step(),
  });
  unwatch();
  await sender.drain();
  await drain();
}
