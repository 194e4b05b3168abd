import type { NatsConnection } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import type { Wakeup } from '../../src/shared/loop.ts';

/**
 * Wakes the claim loop for replays and pings, which the api makes due immediately; a lost hint costs at most the idle
 * wait of that loop.
 */
export async function deliveryHintLoop(
  { connection, wakeup }: { connection: NatsConnection; wakeup: Wakeup },
  signal: AbortSignal,
): Promise<void> {
  const subscription = connection.subscribe(hints.deliveries, { callback: () => wakeup.wake() });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  subscription.unsubscribe();
}
