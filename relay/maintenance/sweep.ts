import type { Database } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, type Wakeup } from '../../src/shared/loop.ts';
import { sweepLeases } from '../first-attempts/lease-events.ts';
import type { RelaySettings } from '../settings.ts';
import type { Counters } from '../telemetry/counters.ts';
import { expireLeases } from './expired-leases.ts';
import { disableFailing, type FailingEndpoints } from './failing-endpoints.ts';
import { endInactiveDeliveries } from './inactive-endpoints.ts';

interface SweepDependencies {
  sql: Database;
  outbox: Outbox;
  failing: FailingEndpoints;
  counters: Counters;
  /** Of the claim loop. */
  wakeup: Wakeup;
  settings: RelaySettings;
  log: Logger;
}

/** Expired leases, inactive endpoints and failing endpoints; each is bounded, so one step costs little. */
export function sweepLoop(
  { sql, outbox, failing, counters, wakeup, settings, log }: SweepDependencies,
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'sweep',
    log,
    signal,
    idleMs: settings.sweepMs,
    async step() {
      const expired = await expireLeases(sql);
      const leases = await sweepLeases(sql);
      const ended = await endInactiveDeliveries(sql);
      const candidates = failing.take(performance.now());
      const disabled = await disableFailing(sql, outbox, candidates);
      for (const endpointId of disabled) log.warn({ endpointId, reason: 'failing' }, 'endpoint.disabled');
      counters.expiredLeases += expired;
      counters.inactiveDeliveries += ended;
      counters.unfinishedEvents += leases.unfinished;
      if (leases.unfinished > 0) log.warn({ events: leases.unfinished }, 'event_leases.expired');
      if (expired > 0) {
        log.warn({ deliveries: expired }, 'leases.expired');
        wakeup.wake();
      }
      return expired + ended + leases.ended + candidates.length > 0;
    },
  });
}
