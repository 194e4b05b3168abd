import type { Database } from '../../src/db/client.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, type Wakeup } from '../../src/shared/loop.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import { sweepLeases } from '../first-attempts/lease-events.ts';
import { statusesBefore } from '../model/delivery-transitions.ts';
import type { RelaySettings } from '../model/settings.ts';
import type { Counters } from '../telemetry/counters.ts';
import { expireLeases } from './expired-leases.ts';
import { endInactiveDeliveries } from './inactive-endpoints.ts';

interface SweepDependencies {
  sql: Database;
  cache: EndpointCache;
  counters: Counters;
  /** Wakes the claim loop. */
  wakeup: Wakeup;
  settings: RelaySettings;
  log: Logger;
}

/** An endpoint that becomes inactive is found by its change; all endpoints are checked this often. */
const INACTIVE_MS = 30_000;

/**
 * Ends expired leases, reads changed endpoints and ends deliveries of inactive ones. One statement asks
 * whether there is anything to do, and each step is bounded.
 */
export function sweepLoop(
  { sql, cache, counters, wakeup, settings, log }: SweepDependencies,
  signal: AbortSignal,
): Promise<void> {
  let endedInactiveAtMs = Number.NEGATIVE_INFINITY;
  return runLoop({
    name: 'sweep',
    log,
    signal,
    idleMs: settings.sweepMs,
    async step() {
      const due = await readDueWork(sql, cache.since);
      const expired = due.hasDeliveries ? await expireLeases(sql) : 0;
      const leases = due.hasEvents ? await sweepLeases(sql) : { ended: 0, unfinished: 0 };
      if (due.hasEndpoints && cache.isLoaded) await cache.refresh();
      const looksForInactive = due.hasEndpoints || performance.now() - endedInactiveAtMs > INACTIVE_MS;
      const ended = looksForInactive ? await endInactiveDeliveries(sql) : 0;
      if (looksForInactive && ended === 0) endedInactiveAtMs = performance.now();
      counters.expiredLeases += expired;
      counters.inactiveDeliveries += ended;
      counters.unfinishedEvents += leases.unfinished;
      if (leases.unfinished > 0) log.warn({ events: leases.unfinished }, 'event_leases.expired');
      if (expired > 0) {
        log.warn({ deliveries: expired }, 'leases.expired');
        wakeup.wake();
      }
      return expired + ended + leases.ended > 0;
    },
  });
}

/** Whether leases of deliveries or events have ended, and whether transactions from `since` on have changed endpoints. */
async function readDueWork(
  sql: Database,
  since: string | null,
): Promise<{ hasDeliveries: boolean; hasEvents: boolean; hasEndpoints: boolean }> {
  const [row] = await sql<{ hasDeliveries: boolean; hasEvents: boolean; hasEndpoints: boolean }[]>`
    select exists (select from webhook_deliveries
        where status in ${statusesBefore(sql, 'leaseExpired')} and lease_expires_at < now()) as has_deliveries,
      exists (select from event_leases where lease_expires_at < now()) as has_events,
      exists (select from webhook_endpoints where changed_xid >= ${since}::xid8
        and changed_xid < pg_snapshot_xmax(pg_current_snapshot())) as has_endpoints`;
  if (row === undefined) throw new Error('the database counted nothing');
  return row;
}
