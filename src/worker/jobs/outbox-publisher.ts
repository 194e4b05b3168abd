import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../db/client.ts';
import { isEventUnpublished, publishBatch } from '../../outbox/publish.ts';
import { busFailure } from '../../shared/bus/failure.ts';
import { ensureStreams } from '../../shared/bus/streams.ts';
import { EVENT_STREAM, hints } from '../../shared/bus/topology.ts';
import { wakeOnHint } from '../../shared/bus/wake-on-hint.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { BROKER_PAUSE_MS, runLoop, Wakeup, wait } from '../../shared/loop.ts';
import type { Tracing } from '../../shared/tracing/tracing.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';
import { StoreWatch } from './store-watch.ts';

/** Acknowledgements awaited in parallel; measured optimum of the window (reference, NATS table). */
const BATCH_MAX = 256;
/**
 * Events within this time are published together. Nothing waits for it: relays take events at the hint of
 * their commit, and a transaction for each event cost more than the event (three statements between `begin`
 * and `commit`).
 */
const GATHER_MS = 50;

export interface OutboxPublisherJobDependencies {
  db: Database;
  connection: NatsConnection;
  clock: Clock;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
  /** Called with the types of events that the broker has acknowledged. */
  onPublished?(types: readonly string[]): void;
  tracing?: Tracing | undefined;
}

/** Moves the outbox to JetStream until the signal aborts. */
export async function runOutboxPublisher({
  db,
  connection,
  clock,
  dueWork,
  log,
  signal,
  onPublished,
  tracing,
}: OutboxPublisherJobDependencies): Promise<void> {
  const wakeup = new Wakeup();
  const unsubscribe = wakeOnHint(connection, hints.outbox, wakeup);
  const unwatch = dueWork.watch(isEventUnpublished, wakeup);
  const store = new StoreWatch(connection, log);
  let begunAtMs = Number.NEGATIVE_INFINITY;
  await runLoop({
    name: 'outbox-publisher',
    log,
    signal,
    wakeup,
    idleMs: DUE_FALLBACK_MS,
    longestPauseMs: BROKER_PAUSE_MS,
    async step(stop, pulse) {
      const pauseMs = begunAtMs + GATHER_MS - performance.now();
      if (pauseMs > 0) await pulse.rest(wait(pauseMs, stop));
      begunAtMs = performance.now();
      const { published, types, failure } = await publishBatch(db, connection, clock, BATCH_MAX, tracing);
      onPublished?.(types);
      if (published > 0) store.onAnswer();
      if (failure !== null) {
        // The broker may have lost its store.
        await ensureStreams(connection, { only: [EVENT_STREAM] });
        if (published === 0 && busFailure(failure) === 'silent') store.onUnacknowledged();
        throw failure;
      }
      if (published < BATCH_MAX) return false;
      begunAtMs = Number.NEGATIVE_INFINITY;
      return true;
    },
  });
  unwatch();
  unsubscribe();
}
