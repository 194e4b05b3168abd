import type { ConfigOf } from '../src/config/load.ts';
import type { DatabaseAccess } from '../src/db/access.ts';
import { connectDatabase, type Database } from '../src/db/client.ts';
import { databaseLimits } from '../src/db/limits.ts';
import { databaseReadiness } from '../src/db/observation.ts';
import { createOutbox } from '../src/outbox/append.ts';
import { API_PREFIX } from '../src/shared/api-prefix.ts';
import type { NatsConnection } from '../src/shared/bus/connect.ts';
import type { Clock } from '../src/shared/clock.ts';
import { DnsResolver, type Resolver } from '../src/shared/dns/resolver.ts';
import type { Logger } from '../src/shared/log.ts';
import { untilAborted, Wakeup } from '../src/shared/loop.ts';
import { runTogether } from '../src/shared/run-together.ts';
import { createSecretBox } from '../src/shared/secret-box.ts';
import type { Tracing } from '../src/shared/tracing/tracing.ts';
import { WebhookSigningKeys } from '../src/shared/webhooks/signing-keys.ts';
import { urlPolicyOf } from '../src/shared/webhooks/url-policy.ts';
import { Attempts, type AttemptsDependencies } from './attempt/attempts.ts';
import { ConnectionPool } from './attempt/connection-pool.ts';
import { Signer } from './attempt/sign.ts';
import { EventDeliverer, firstAttemptLoop } from './deliver/deliver-events.ts';
import { EventLeases } from './deliver/event-leases.ts';
import { eventLeaseLoop } from './deliver/events-in-progress.ts';
import { backlogLoop, EndpointBacklogs } from './endpoints/endpoint-backlogs.ts';
import { EndpointCache, endpointCacheLoop } from './endpoints/endpoint-cache.ts';
import { FailingCandidates } from './endpoints/failing-candidates.ts';
import { Slots } from './endpoints/slots.ts';
import { consumeLoops } from './fan-out/consume-events.ts';
import { FanOutCoordinator } from './fan-out/coordinator.ts';
import { fastPathLoops } from './fan-out/fast-path.ts';
import { failingEndpointsLoop } from './maintenance/judge-failing.ts';
import { reconcileDeliveriesLoop } from './maintenance/reconcile-deliveries.ts';
import { reconcileEventsLoop } from './maintenance/reconcile-events.ts';
import { sweepLoop } from './maintenance/sweep.ts';
import { EndpointShares } from './members/endpoint-shares.ts';
import { Membership, membershipLoop } from './members/members.ts';
import { assertSafeSettings, defaultSettings, type RelaySettings } from './model/settings.ts';
import { createRecordingQueue } from './results/record-attempts.ts';
import { EventBodies } from './retry/event-bodies.ts';
import { claimLoop, claimWindowLoop, DeliveryRetrier, deliveryHintLoop } from './retry/retry-deliveries.ts';
import { Counters, statusLoop } from './telemetry/counters.ts';
import type { ObservedRelay } from './telemetry/metrics.ts';

/*
 * What happens at a failure. Every recovery depends on rows, and none on memory:
 * - A relay is killed before it wrote a first attempt: the lease of the event ends (20 s), and another relay sends the
 *   event to every endpoint that has no row. A relay is killed during a later or slow attempt: the lease of the delivery
 *   ends (20 s after the claim), the attempt is closed as `outcome_unknown`, and the delivery is due at once
 *   (maintenance/sweep.ts). In both cases the subscriber may receive it twice, with one `webhook-id`.
 * - There are several relays: the lease of an event decides who sends it. Each permit of an endpoint's limit belongs to
 *   one relay (members/). The unique key (endpoint, event) decides whose row counts, the attempt number whose result.
 * - No database: results wait in memory, at most about `slots` of each kind, and nothing is claimed, leased or
 *   acknowledged. The results are written when the database is back. If a lease has ended meanwhile, a subscriber may
 *   receive a delivery twice.
 * - No broker: existing deliveries continue. The reconciler fans out new events after `reconcileAgeMs`. A broker that
 *   comes back empty gets its streams and consumers again.
 */

/** The relay closes neither the database nor the connection. */
export interface RelayDependencies {
  config: ConfigOf<'relay'>;
  sql: Database;
  connection: NatsConnection;
  log: Logger;
  version: string;
  /** PEM texts that replace the default authorities. */
  certificateAuthorities?: string[];
  resolve?: Resolver;
  settings?: RelaySettings;
  /** For signatures, rotations, events and ids. The database's clock decides leases and schedules. */
  clock: Clock;
  tracing?: Tracing | undefined;
}

export interface Relay extends ObservedRelay {
  /**
   * Runs until `signal` aborts: then claims nothing more, finishes the attempts in flight, and resolves. Rejects when a
   * loop fails for good.
   *
   * @param giveUp ends the wait for results that cannot be written; their deliveries are sent again after their lease
   */
  run(signal: AbortSignal, giveUp: AbortSignal): Promise<void>;
}

/** Connects the parts of a relay. Throws RangeError on settings that are not safe. */
export function createRelay(dependencies: RelayDependencies): Relay {
  const { config, connection, log } = dependencies;
  const settings = dependencies.settings ?? defaultSettings;
  assertSafeSettings(settings);
  const id = Bun.randomUUIDv7();
  const counters = new Counters();
  const shares = new EndpointShares(id, config.webhookEndpointConcurrency);
  const slots = new Slots(settings.slots, settings.stallMs, (endpointId) => shares.limitOf(endpointId));
  const ground: Ground = { id, settings, counters, shares, slots };
  let running: EventDeliverer | null = null;
  return {
    counters,
    inFlight: () => slots.used,
    waiting: () => ({ events: running?.events.size ?? 0, firstAttempts: running?.queues.size ?? 0 }),
    async run(signal, giveUp) {
      const parts = partsOf(dependencies, ground, giveUp);
      running = parts.deliverer;
      // These loops run until the last attempt has ended.
      const lastAttempt = new AbortController();
      const lastingLoops = startLastingLoops(parts, lastAttempt.signal);
      try {
        await runTogether(signal, (stop) => [
          ...startLoops(parts, stop),
          untilConnectionLost(connection, stop),
        ]);
        await parts.retrier.finish();
      } finally {
        lastAttempt.abort();
        await Promise.all(lastingLoops);
        await leave(parts.membership, log);
        parts.connections.close();
      }
    },
  };
}

/** The parts that exist before and after a run. */
interface Ground {
  id: string;
  settings: RelaySettings;
  counters: Counters;
  shares: EndpointShares;
  slots: Slots;
}

type RelayParts = ReturnType<typeof partsOf>;

/** The parts of a run. */
function partsOf(dependencies: RelayDependencies, ground: Ground, giveUp: AbortSignal) {
  const { config, sql, connection, log, certificateAuthorities, clock, tracing } = dependencies;
  const { id, settings, counters, shares, slots } = ground;
  const wakeup = new Wakeup();
  const hasRows = new Wakeup();
  const failing = new FailingCandidates();
  const origin = { source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl };
  const outbox = createOutbox(origin, clock, { tracing });
  const connections = new ConnectionPool(config.webhookEndpointConcurrency, certificateAuthorities);
  const recording = createRecordingQueue({ sql, outbox, giveUp, log });
  const connect = () => connectMember(config);
  const membership = new Membership({ sql, connect, id, shares, fits: () => slots.isWithinLimits() });
  const cache = new EndpointCache(sql);
  const attempts = new Attempts({
    ...attemptDependencies(dependencies, connections, settings),
    cache,
    failing,
    counters,
  });
  const onPending = () => {
    wakeup.wake();
    hasRows.wake();
  };
  const shared = {
    sql,
    connection,
    slots,
    bodies: new EventBodies(sql),
    cache,
    attempts,
    recording,
    failing,
    counters,
    wakeup,
    onPending,
    settings,
    clock,
    outbox,
    limitOf: (endpointId: string) => shares.limitOf(endpointId),
    isLive: (nowMs: number) => membership.isLive(nowMs),
    log,
  };
  const onEnd = (endpointId: string, nowMs: number) => deliverer.queues.wake(endpointId, nowMs);
  const retrier = new DeliveryRetrier({ ...shared, onEnd });
  const backlogs = new EndpointBacklogs(sql, (endpointId) => retrier.isWaiting(endpointId));
  const deliverer = new EventDeliverer({ ...shared, backlogs, giveUp });
  const { eventLeaseMs, reconcileAgeMs: fastPathMs } = settings;
  const leases = new EventLeases(sql, id, eventLeaseMs, () => cache.since);
  const coordinator = new FanOutCoordinator({ ...shared, leases, deliverer, fastPathMs, tracing });
  return { ...shared, connections, membership, retrier, backlogs, hasRows, deliverer, leases, coordinator };
}

function startLastingLoops(parts: RelayParts, signal: AbortSignal): Promise<void>[] {
  const { sql, membership, wakeup, deliverer, leases, settings, log } = parts;
  const { eventLeaseMs } = settings;
  const databaseFailure = () => failureOf(sql);
  return [
    membershipLoop({ membership, databaseFailure, onChange: () => wakeup.wake(), log }, signal),
    eventLeaseLoop({ events: deliverer.events, leases, eventLeaseMs, log }, signal),
  ];
}

function startLoops(parts: RelayParts, stop: AbortSignal): Promise<void>[] {
  const { retrier, deliverer, cache, backlogs, hasRows, wakeup, counters, slots, log } = parts;
  return [
    ...consumeLoops(parts, stop),
    ...fastPathLoops(parts, stop),
    deliveryHintLoop(parts, stop),
    claimLoop({ retrier, log }, stop),
    endpointCacheLoop({ cache, hasEvents: () => deliverer.events.size > 0, log }, stop),
    claimWindowLoop({ retrier, log }, stop),
    backlogLoop({ backlogs, hasRows, onDue: () => wakeup.wake(), log }, stop),
    firstAttemptLoop({ deliverer, log }, stop),
    sweepLoop(parts, stop),
    failingEndpointsLoop(parts, stop),
    reconcileEventsLoop(parts, stop),
    reconcileDeliveriesLoop(parts, stop),
    statusLoop({ counters, inFlight: () => slots.used, log }, stop),
  ];
}

/** Logs nothing, because the pool of the process meets and logs the same faults. */
function connectMember(access: DatabaseAccess): Database {
  return connectDatabase(access, {
    applicationName: 'launchwire-relay-member',
    connections: 1,
    role: 'launchwire_relay',
    limits: databaseLimits.member,
  });
}

/** Why the database accepts no writes; null while it does. */
async function failureOf(sql: Database): Promise<string | null> {
  const { ready, detail = 'unusable' } = await databaseReadiness(sql).check();
  return ready ? null : detail;
}

/** Leaves the members; otherwise the others would count this relay as gone only some seconds later. */
async function leave(membership: Membership, log: Logger): Promise<void> {
  try {
    await membership.leave();
  } catch (err) {
    log.warn({ err }, 'membership.not_left');
  }
}

/** The client reconnects without end. So a closed connection is a defect that only a new process repairs. */
async function untilConnectionLost(connection: NatsConnection, signal: AbortSignal): Promise<void> {
  const ended = await Promise.race([untilAborted(signal), connection.closed()]);
  if (!signal.aborted) throw new Error('the connection to NATS is closed', { cause: ended });
}

function attemptDependencies(
  { config, clock, log, version, resolve, tracing }: RelayDependencies,
  connections: ConnectionPool,
  settings: RelaySettings,
): Omit<AttemptsDependencies, 'cache' | 'failing' | 'counters'> {
  return {
    sender: {
      connections,
      policy: urlPolicyOf(config),
      resolve: resolve ?? new DnsResolver({ servers: config.webhookDnsServers }).resolve,
      deadlineMs: settings.attemptDeadlineMs,
    },
    secretBox: createSecretBox(config.secretKey, config.secretKeyPrevious),
    signer: new Signer(new WebhookSigningKeys(config, config.webhookSharedKeyUntil)),
    scheduleMs: config.webhookRetrySchedule,
    clock,
    random: Math.random,
    log,
    version,
    tracing,
  };
}
