import type { Logger } from '../../src/shared/log.ts';
import { runLoop } from '../../src/shared/loop.ts';
import type { FanOutCoordinator } from '../fan-out/coordinator.ts';
import type { RelaySettings } from '../model/settings.ts';
import type { Counters } from '../telemetry/counters.ts';

interface ReconcileEventsDependencies {
  coordinator: FanOutCoordinator;
  counters: Counters;
  settings: RelaySettings;
  log: Logger;
}

/** Fans out the events that neither a hint nor the broker brought to any relay. */
export function reconcileEventsLoop(
  { coordinator, counters, settings, log }: ReconcileEventsDependencies,
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'reconcile-events',
    log,
    signal,
    idleMs: settings.reconcileMs,
    async step() {
      const { events, deliveries, more } = await coordinator.fanOutMissed();
      if (events > 0) {
        counters.repairedEvents += events;
        counters.repairedDeliveries += deliveries;
        log.warn({ events, deliveries }, 'events.repaired');
      }
      return more;
    },
  });
}
