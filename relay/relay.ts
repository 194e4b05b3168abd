import type { ConfigOf } from '../src/config.ts';
import type { Database } from '../src/db/client.ts';
import { createOutbox } from '../src/outbox/append.ts';
import type { NatsConnection } from '../src/shared/bus/connect.ts';
import { type Clock, systemClock } from '../src/shared/clock.ts';
import { DnsResolver, type Resolver } from '../src/shared/dns/resolver.ts';
import type { Logger } from '../src/shared/log.ts';
import { Wakeup } from '../src/shared/loop.ts';
import { createSecretBox, webhookSigningKeys } from '../src/shared/secret-box.ts';
import type { Tracing } from '../src/shared/tracing/tracing.ts';
import { Agents } from './attempt/connection-pool.ts';
import type { AttemptDependencies } from './attempt/attempt.ts';
import { Counters } from './telemetry/counters.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { EventBodies } from './dispatch/event-bodies.ts';
import { FailingEndpoints } from './maintenance/failing-endpoints.ts';
import { FanOuts } from './fan-out/coordinator.ts';
import {
  claimLoop,
  compareLoop,
  consumeLoops,
  freshLoops,
  hintLoop,
  type RelayParts,
  reconcileLoop,
  statusLoop,
  sweepLoop,
} from './maintenance/sweep.ts';
import { recordResults } from './results/record-attempts.ts';
import { Recorder } from './results/recording-queue.ts';
import { assertSafeSettings, defaultSettings, type RelaySettings } from './settings.ts';
import { Signer } from './attempt/sign.ts';
import { Slots } from './dispatch/slots.ts';

/*
 * What happens when something goes away. Every answer rests on rows, none on memory:
 * - A relay killed between claim and result: its lease runs out (20 s after the claim), the attempt is closed as
 *   `outcome_unknown`, the delivery is due at once. The subscriber may see it twice, with one `webhook-id`.
 * - Two relays, or twenty: endpoint row locks decide who claims, so the limit per endpoint holds over all; the
 *   unique key (endpoint, event) decides who fans out; the attempt number decides whose result counts.
 * - No database: results wait in memory with their slots taken, so at most `slots` of them; nothing is claimed or
 *   acknowledged. All of it is written when the database is back; a lease that ran out meanwhile means a duplicate.
 * - No broker: deliveries that exist go on. New events are fanned out by the reconciler, after `reconcileAgeMs`.
 *   A broker that comes back empty gets its streams and consumers again.
 */

/** What a relay is given; it closes neither the database nor the connection. */
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
  /** Times of signatures, rotations and events; leases and schedules go by the database's. */
  clock?: Clock;
  tracing?: Tracing | undefined;
}

export interface Relay {
  counters: Counters;
  /** Attempts in flight. */
  inFlight(): number;
  /**
   * Runs until `signal` aborts: then claims nothing more, finishes the attempts in flight, and resolves.
   * Rejects when a loop dies.
   *
   * @param giveUp ends the wait for results that cannot be written; they are sent again after their lease
   */
  run(signal: AbortSignal, giveUp: AbortSignal): Promise<void>;
}

/** Wires a relay. Throws RangeError on settings that are not safe. */
export function createRelay(dependencies: RelayDependencies): Relay {
  const { config, sql, connection, log, certificateAuthorities, clock = systemClock, tracing } = dependencies;
  const settings = dependencies.settings ?? defaultSettings;
  assertSafeSettings(settings);
  const wakeup = new Wakeup();
  const counters = new Counters();
  const failing = new FailingEndpoints();
  const slots = new Slots(settings.slots, settings.stallMs);
  const bodies = new EventBodies(sql);
  const outbox = createOutbox(
    { source: `${config.publicUrl}/api/v2`, docsUrl: config.docsUrl },
    clock,
    tracing,
  );
  return {
    counters,
    inFlight: () => slots.used,
    async run(signal, giveUp) {
      const perEndpoint = config.webhookEndpointConcurrency;
      const agents = new Agents(perEndpoint, certificateAuthorities);
      const attempts = attemptDependencies(dependencies, agents, settings, clock);
      const recorder = new Recorder(
        (results) => recordResults(sql, outbox, results),
        ({ disabledEndpointIds }) => {
          for (const endpointId of disabledEndpointIds)
            log.warn({ endpointId, reason: 'gone' }, 'endpoint.disabled');
        },
        log,
        giveUp,
      );
      const dispatcher = new Dispatcher({
        sql,
        settings,
        perEndpoint,
        slots,
        bodies,
        attempts,
        recorder,
        failing,
        counters,
        wakeup,
        log,
      });
      const fanOuts = new FanOuts({
        sql,
        bodies,
        claimPage: (batch, after) => dispatcher.claimPage(batch, after),
        onDeliveries: () => wakeup.wake(),
        freshMs: settings.reconcileAgeMs,
        tracing,
      });
      const parts = {
        sql,
        connection,
        outbox,
        dispatcher,
        fanOuts,
        slots,
        failing,
        counters,
        wakeup,
        settings,
        log,
      };
      try {
        await runLoops(parts, signal);
        await dispatcher.finish();
      } finally {
        agents.close();
      }
    },
  };
}

/** Resolves when all loops have stopped; a loop that dies stops the others and rejects. */
async function runLoops(parts: RelayParts, signal: AbortSignal): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const loops = [
    ...consumeLoops(parts, either),
    ...freshLoops(parts, either),
    hintLoop(parts, either),
    claimLoop(parts, either),
    sweepLoop(parts, either),
    reconcileLoop(parts, either),
    compareLoop(parts, either),
    statusLoop(parts, either),
    connectionLoss(parts.connection, either),
  ];
  try {
    await Promise.all(loops);
  } catch (error) {
    failure.abort();
    await Promise.allSettled(loops);
    throw error;
  }
}

/** The client reconnects for ever, so a closed connection is a defect that nothing here can mend. */
async function connectionLoss(connection: NatsConnection, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<'stopped'>((resolve) => {
    if (signal.aborted) resolve('stopped');
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const ended = await Promise.race([stopped, connection.closed()]);
  if (ended !== 'stopped') throw new Error('the connection to NATS is closed', { cause: ended });
}

function attemptDependencies(
  { config, log, version, resolve, tracing }: RelayDependencies,
  agents: Agents,
  settings: RelaySettings,
  clock: Clock,
): AttemptDependencies {
  return {
    sender: {
      agents,
      policy: { allowHttp: config.webhookAllowHttp, allowedCidrs: config.webhookAllowedCidrs },
      resolve: resolve ?? new DnsResolver({ servers: config.webhookDnsServers }).resolve,
      deadlineMs: settings.attemptDeadlineMs,
    },
    secretBox: createSecretBox(config.secretKey, config.secretKeyPrevious),
    signer: new Signer(webhookSigningKeys(config)),
    scheduleMs: config.webhookRetrySchedule,
    clock,
    random: Math.random,
    log,
    version,
    tracing,
  };
}
