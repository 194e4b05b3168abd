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
import type { AttemptDependencies } from './attempt/attempt.ts';
import { Attempts } from './attempt/attempts.ts';
import { ConnectionPool } from './attempt/connection-pool.ts';
import { Signer } from './attempt/sign.ts';
import { claimLoop, claimWindowLoop, Dispatcher, deliveryHintLoop } from './dispatch/dispatcher.ts';
import { EventBodies } from './dispatch/event-bodies.ts';
import { BehindEndpoints, behindLoop } from './endpoints/behind-endpoints.ts';
import { EndpointCache } from './endpoints/endpoint-cache.ts';
import { FailingEndpoints } from './endpoints/failing-endpoints.ts';
import { Slots } from './endpoints/slots.ts';
import { consumeLoops } from './fan-out/consume-events.ts';
import { FanOutCoordinator } from './fan-out/coordinator.ts';
import { fastPathLoops } from './fan-out/fast-path.ts';
import { FirstSender } from './first-attempts/first-sender.ts';
import { EventLeases } from './first-attempts/lease-events.ts';
import { endpointCacheLoop, eventLeaseLoop, firstAttemptLoop } from './first-attempts/loops.ts';
import { failingEndpointsLoop } from './maintenance/failing-endpoints.ts';
import { reconcileDeliveriesLoop } from './maintenance/reconcile-deliveries.ts';
import { reconcileEventsLoop } from './maintenance/reconcile-events.ts';
import { sweepLoop } from './maintenance/sweep.ts';
import { EndpointShares } from './members/endpoint-shares.ts';
import { Membership, membershipLoop } from './members/members.ts';
import { assertSafeSettings, defaultSettings, type RelaySettings } from './model/settings.ts';
import { recordResults } from './results/record-attempts.ts';
import { RecordingQueue } from './results/recording-queue.ts';
import { Counters, statusLoop } from './telemetry/counters.ts';
import type { ObservedRelay } from './telemetry/metrics.ts';

/*
 * What happens when something fails. Every recovery rests on rows, none on memory:
 * - A relay is killed before it wrote a first attempt: the lease of the event ends (20 s), and another relay sends the
 *   event to every endpoint without a row. A relay is killed in a later or slow attempt: the lease of the delivery
 *   expires (20 s after the claim), the attempt is closed as `outcome_unknown`, and the delivery is due at once
 *   (maintenance/expired-leases.ts). Either way the subscriber may receive it twice, with one `webhook-id`.
 * - Two relays, or twenty: the lease of an event decides who sends it, each place of an endpoint's limit belongs to one
 *   relay (members/), the unique key (endpoint, event) decides whose row counts, the attempt number whose result.
 * - No database: results wait in memory, at most about `slots` of each kind, and nothing is claimed, leased or
 *   acknowledged. The results are written when the database is back; a lease that expired meanwhile means a duplicate.
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
  /** PEM texts to trust instead of the default authorities. */
  certificateAuthorities?: string[];
  resolve?: Resolver;
  settings?: RelaySettings;
  /** For signatures, rotations, events and ids; SQL judges leases and schedules. */
  clock: Clock;
  tracing?: Tracing | undefined;
}

export interface Relay extends ObservedRelay {
  /**
   * Runs until `signal` aborts: then claims nothing more, finishes the attempts in flight, and resolves.
   * Rejects when a loop fails for good.
   *
   * @param giveUp ends the wait for results that cannot be written; their deliveries are sent again after
   * their lease
   */
  run(signal: AbortSignal, giveUp: AbortSignal): Promise<void>;
}

/** Wires a relay. Throws RangeError on settings that are not safe. */
export function createRelay(dependencies: RelayDependencies): Relay {
  const { config, sql, connection, log, certificateAuthorities, clock, tracing } = dependencies;
  const settings = dependencies.settings ?? defaultSettings;
  assertSafeSettings(settings);
  const wakeup = new Wakeup();
  const counters = new Counters();
  const failing = new FailingEndpoints();
  const id = Bun.randomUUIDv7();
  const shares = new EndpointShares(id, config.webhookEndpointConcurrency);
  const slots = new Slots(settings.slots, settings.stallMs, (endpointId) => shares.limitOf(endpointId));
  const bodies = new EventBodies(sql);
  let running: FirstSender | null = null;
  const outbox = createOutbox(
    { source: `${config.publicUrl}${API_PREFIX}`, docsUrl: config.docsUrl },
    clock,
    { tracing },
  );
  return {
    counters,
    inFlight: () => slots.used,
    waiting: () => ({ events: running?.held ?? 0, firstAttempts: running?.queued ?? 0 }),
    async run(signal, giveUp) {
      const connections = new ConnectionPool(config.webhookEndpointConcurrency, certificateAuthorities);
      const recording = new RecordingQueue(
        (results) => recordResults(sql, outbox, results),
        ({ disabledEndpointIds }) => {
          for (const endpointId of disabledEndpointIds)
            log.warn({ endpointId, reason: 'gone' }, 'endpoint.disabled');
        },
        log,
        giveUp,
      );
      const membership = new Membership({
        sql,
        connect: () => connectMember(config),
        id,
        shares,
        fits: () => slots.isWithinLimits(),
      });
      const cache = new EndpointCache(sql);
      const attempts = new Attempts({
        ...attemptDependencies(dependencies, connections, settings, clock),
        cache,
        failing,
        counters,
      });
      const hasRows = new Wakeup();
      const onPending = () => {
        wakeup.wake();
        hasRows.wake();
      };
      const shared = {
        sql,
        connection,
        slots,
        bodies,
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
      const onEnd = (endpointId: string, nowMs: number) => sender.wake(endpointId, nowMs);
      const dispatcher = new Dispatcher({ ...shared, onEnd });
      const behind = new BehindEndpoints(sql, (endpointId) => dispatcher.isWaiting(endpointId));
      const sender = new FirstSender({ ...shared, behind, giveUp });
      running = sender;
      const { eventLeaseMs, reconcileAgeMs: fastPathMs } = settings;
      const leases = new EventLeases(sql, id, eventLeaseMs, () => cache.since);
      const coordinator = new FanOutCoordinator({ ...shared, leases, sender, fastPathMs, tracing });
      // These loops go on until the last attempt has ended.
      const ended = new AbortController();
      const onChange = () => wakeup.wake();
      const lasting = [
        membershipLoop({ membership, databaseFailure: () => failureOf(sql), onChange, log }, ended.signal),
        eventLeaseLoop({ sender, leases, eventLeaseMs, log }, ended.signal),
      ];
      try {
        await runTogether(signal, (stop) => [
          ...consumeLoops({ ...shared, coordinator }, stop),
          ...fastPathLoops({ ...shared, coordinator }, stop),
          deliveryHintLoop(shared, stop),
          claimLoop({ dispatcher, log }, stop),
          endpointCacheLoop({ cache, sender, log }, stop),
          claimWindowLoop({ dispatcher, log }, stop),
          behindLoop({ behind, hasRows, onDue: () => wakeup.wake(), log }, stop),
          firstAttemptLoop({ sender, log }, stop),
          sweepLoop(shared, stop),
          failingEndpointsLoop(shared, stop),
          reconcileEventsLoop({ ...shared, coordinator }, stop),
          reconcileDeliveriesLoop(shared, stop),
          statusLoop({ counters, inFlight: () => slots.used, log }, stop),
          untilConnectionLost(connection, stop),
        ]);
        await dispatcher.finish();
      } finally {
        ended.abort();
        await Promise.all(lasting);
        await leave(membership, log);
        connections.close();
      }
    },
  };
}

/** Without a log: the pool of the process meets and logs the same faults. */
function connectMember(access: DatabaseAccess): Database {
  return connectDatabase(access, {
    applicationName: 'launchwire-relay-member',
    connections: 1,
    role: 'launchwire_relay',
    limits: databaseLimits.member,
  });
}

/** Why the database takes no writes; null while it does. */
async function failureOf(sql: Database): Promise<string | null> {
  const { ready, detail = 'unusable' } = await databaseReadiness(sql).check();
  return ready ? null : detail;
}

/** Leaves the members. Without that, the others count this relay as gone only some seconds later. */
async function leave(membership: Membership, log: Logger): Promise<void> {
  try {
    await membership.leave();
  } catch (err) {
    log.warn({ err }, 'membership.not_left');
  }
}

/** The client reconnects without end, so a closed connection is a defect that only a new process repairs. */
async function untilConnectionLost(connection: NatsConnection, signal: AbortSignal): Promise<void> {
  const ended = await Promise.race([untilAborted(signal), connection.closed()]);
  if (!signal.aborted) throw new Error('the connection to NATS is closed', { cause: ended });
}

function attemptDependencies(
  { config, log, version, resolve, tracing }: RelayDependencies,
  connections: ConnectionPool,
  settings: RelaySettings,
  clock: Clock,
): AttemptDependencies {
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
