import { type NatsConnection, onReconnect } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, Wakeup } from '../../src/shared/loop.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { FanOutCoordinator } from './coordinator.ts';

interface FastPathDependencies {
  connection: NatsConnection;
  coordinator: FanOutCoordinator;
  counters: Counters;
  log: Logger;
}

/** If no hint comes, new events are queried this often. */
const HINT_WAIT_MS = 60_000;

/**
 * Fans out events at the hint of their commit, before the broker has them, and after a reconnect. One relay receives
 * each hint. Events whose hint is lost arrive through the broker. There are two loops, so that account events do not
 * wait for public ones.
 */
export function fastPathLoops(
  { connection, coordinator, counters, log }: FastPathDependencies,
  signal: AbortSignal,
): Promise<void>[] {
  return (['public', 'account'] as const).map(async (audience) => {
    const hinted = new Wakeup();
    const subscription = connection.subscribe(hints.outbox, {
      queue: `relay-${audience}`,
      callback: (error, message) => {
        const hint = error === null ? message.string() : '';
        if (hint === '' || hint === audience) hinted.wake();
      },
    });
    const endReconnects = onReconnect(connection, () => hinted.wake());
    await runLoop({
      name: `fast-path-${audience}`,
      log,
      signal,
      idleMs: 0,
      async step(stepSignal, pulse) {
        await pulse.rest(hinted.wait(HINT_WAIT_MS, stepSignal));
        for (let hasMore = true; hasMore && !stepSignal.aborted; ) {
          const { deliveries, more } = await coordinator.fanOutCommitted(audience);
          pulse.beat();
          counters.fannedOutDeliveries += deliveries;
          // If an event is committed meanwhile, it has a hint of its own.
          hasMore = more;
        }
        return true;
      },
    });
    subscription.unsubscribe();
    endReconnects();
    await coordinator.finish();
  });
}
