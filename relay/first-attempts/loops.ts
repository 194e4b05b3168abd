import type { Logger } from '../../src/shared/log.ts';
import { runLoop } from '../../src/shared/loop.ts';
import { tickLoop } from '../dispatch/tick-loop.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import type { FirstSender } from './first-sender.ts';
import type { EventLeases } from './lease-events.ts';

/** Keeps first attempts moving; when the signal aborts, brings them to their end. */
export async function firstAttemptLoop(
  { sender, log }: { sender: FirstSender; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  const isIdle = () => sender.isIdle;
  const tick = (nowMs: number) => sender.tick(nowMs);
  await tickLoop({ name: 'first-attempts', isIdle, hasWork: sender.hasEvents, tick, log }, signal);
  await sender.finish();
}

const RENEWALS_PER_LEASE = 4;

interface LeaseLoopDependencies {
  sender: FirstSender;
  leases: EventLeases;
  eventLeaseMs: number;
  log: Logger;
}

/** Renews leases until the signal aborts and the events are done. */
export function eventLeaseLoop(
  { sender, leases, eventLeaseMs, log }: LeaseLoopDependencies,
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'event-leases',
    log,
    signal,
    idleMs: eventLeaseMs / RENEWALS_PER_LEASE,
    async step() {
      const held = sender.heldIds();
      if (held.length === 0) return false;
      const { ids, leaseEndsMs } = await leases.renew(held);
      sender.renew(ids, leaseEndsMs);
      return false;
    },
  });
}

const REFRESH_MS = 500;

/** Loads the endpoints, and reads changes while events are held; the sweep reads them otherwise. */
export function endpointCacheLoop(
  { cache, sender, log }: { cache: EndpointCache; sender: FirstSender; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'endpoint-cache',
    log,
    signal,
    idleMs: REFRESH_MS,
    async step() {
      if (!cache.isLoaded || sender.held > 0) await cache.refresh();
      return false;
    },
  });
}
