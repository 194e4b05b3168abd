import type { Database } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { NatsConnection } from '../../src/shared/bus/connect.ts';
import { consumers, hints } from '../../src/shared/bus/topology.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, Wakeup, wait } from '../../src/shared/loop.ts';
import { consumeSession } from '../fan-out/consume-events.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { disableFailing, type FailingEndpoints } from './failing-endpoints.ts';
import type { FanOuts } from '../fan-out/coordinator.ts';
import { endInactiveDeliveries } from './inactive-endpoints.ts';
import { expireLeases } from './expired-leases.ts';
import { repairMissingDeliveries } from './reconcile-deliveries.ts';
import type { RelaySettings } from '../settings.ts';
import type { Slots } from '../dispatch/slots.ts';

/** Everything the loops share. */
export interface RelayParts {
  sql: Database;
  connection: NatsConnection;
  outbox: Outbox;
  dispatcher: Dispatcher;
  fanOuts: FanOuts;
  slots: Slots;
  failing: FailingEndpoints;
  counters: Counters;
  wakeup: Wakeup;
  settings: RelaySettings;
  log: Logger;
}

const SESSION_PAUSE_MS = 250;
const STATUS_MS = 60_000;
const COMPARE_REST = 9;
/** Without hints there is one look for fresh events this often. */
const HINT_WAIT_MS = 60_000;

/** Two consumers, so that account events never wait behind a public event with 10,000 endpoints. */
export function consumeLoops(parts: RelayParts, signal: AbortSignal): Promise<void>[] {
  const { connection, counters, fanOuts } = parts;
  return [consumers.relayPublic, consumers.relayAccount].map((definition) => {
    const log = parts.log.child({ consumer: definition.name });
    const dependencies = {
      connection,
      counters,
      log,
      fanOut: (eventIds: readonly string[]) => fanOuts.announced(eventIds),
    };
    return runLoop({
      name: definition.name,
      log,
      signal,
      idleMs: SESSION_PAUSE_MS,
      async step(stepSignal, pulse) {
        await consumeSession(dependencies, definition, stepSignal, pulse);
        if (!stepSignal.aborted) {
          counters.endedSessions += 1;
          log.warn('consumer.session_ended');
        }
        return false;
      },
    });
  });
}

/**
 * Fans out events at the hint of their commit, while the worker still brings them to the broker. One relay hears each
 * hint; what is missed comes by the broker. Two loops, so that account events do not wait behind public ones.
 */
export function freshLoops({ connection, fanOuts, counters, log }: RelayParts, signal: AbortSignal) {
  return (['public', 'account'] as const).map(async (audience) => {
    const hinted = new Wakeup();
    const subscription = connection.subscribe(hints.outbox, {
      queue: `relay-${audience}`,
      callback: () => hinted.wake(),
    });
    await runLoop({
      name: `fresh-${audience}`,
      log,
      signal,
      idleMs: 0,
      async step(stepSignal, pulse) {
        await pulse.rest(hinted.wait(HINT_WAIT_MS, stepSignal));
        while (!stepSignal.aborted) {
          const deliveries = await fanOuts.fresh(audience);
          pulse.beat();
          if (deliveries === null) break;
          counters.fannedOutDeliveries += deliveries;
        }
        return true;
      },
    });
    subscription.unsubscribe();
    await fanOuts.finish();
  });
}

/** Replays and pings become due at once; a lost hint costs at most the idle wait of the claim loop. */
export async function hintLoop({ connection, wakeup }: RelayParts, signal: AbortSignal): Promise<void> {
  const subscription = connection.subscribe(hints.deliveries, { callback: () => wakeup.wake() });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  subscription.unsubscribe();
}

export function claimLoop({ dispatcher, log }: RelayParts, signal: AbortSignal): Promise<void> {
  return runLoop({
    name: 'claim',
    log,
    signal,
    idleMs: 0,
    step: (stepSignal, pulse) => dispatcher.step(stepSignal, pulse),
  });
}

/** Expired leases, inactive endpoints, failing endpoints: each bounded, so one step costs little. */
export function sweepLoop(parts: RelayParts, signal: AbortSignal): Promise<void> {
  const { sql, outbox, failing, counters, wakeup, log, settings } = parts;
  return runLoop({
    name: 'sweep',
    log,
    signal,
    idleMs: settings.sweepMs,
    async step() {
      const expired = await expireLeases(sql);
      const ended = await endInactiveDeliveries(sql);
      const suspects = failing.take(performance.now());
      const disabled = await disableFailing(sql, outbox, suspects);
      for (const endpointId of disabled) log.warn({ endpointId, reason: 'failing' }, 'endpoint.disabled');
      counters.expiredLeases += expired;
      counters.inactiveDeliveries += ended;
      if (expired > 0) {
        log.warn({ deliveries: expired }, 'leases.expired');
        wakeup.wake();
      }
      return expired + ended + suspects.length > 0;
    },
  });
}

export function reconcileLoop(
  { fanOuts, counters, log, settings }: RelayParts,
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'reconcile',
    log,
    signal,
    idleMs: settings.reconcileMs,
    async step() {
      const { events, deliveries, more } = await fanOuts.missing();
      if (events > 0) {
        counters.repairedEvents += events;
        counters.repairedDeliveries += deliveries;
        log.warn({ events, deliveries }, 'events.repaired');
      }
      return more;
    },
  });
}

/**
 * Goes through the recent events again and again, a few at a time, and rests nine times as long as each look took: a
 * check of what should be right anyway must not take the database from deliveries that wait.
 */
export function compareLoop(parts: RelayParts, signal: AbortSignal): Promise<void> {
  const { sql, counters, wakeup, log, settings } = parts;
  let after: string | null = null;
  return runLoop({
    name: 'compare',
    log,
    signal,
    idleMs: settings.compareMs,
    async step(stepSignal, pulse) {
      const startedAtMs = performance.now();
      const { deliveries, last }: { deliveries: number; last: string | null } = await repairMissingDeliveries(
        sql,
        after,
        { windowMs: settings.compareWindowMs, ageMs: settings.reconcileAgeMs },
      );
      after = last;
      if (deliveries > 0) {
        counters.repairedDeliveries += deliveries;
        log.warn({ deliveries }, 'deliveries.repaired');
        wakeup.wake();
      }
      if (last !== null) await pulse.rest(wait(COMPARE_REST * (performance.now() - startedAtMs), stepSignal));
      return last !== null;
    },
  });
}

export async function statusLoop({ counters, slots, log }: RelayParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(STATUS_MS, signal);
    log.info({ inFlight: slots.used, ...counters }, 'relay.status');
  }
}
