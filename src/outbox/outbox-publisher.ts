import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../db/client.ts';
import type { StepJob } from '../db/jobs/job.ts';
import { busFailure } from '../shared/bus/failure.ts';
import { ensureStreams } from '../shared/bus/streams.ts';
import { EVENT_STREAM, hints } from '../shared/bus/topology.ts';
import type { Logger } from '../shared/log.ts';
import { BROKER_PAUSE_MS, wait } from '../shared/loop.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import { isEventUnpublished, publishBatch } from './publish.ts';
import { StoreWatch } from './store-watch.ts';

/** Acknowledgements awaited in parallel; more of them did not publish faster. */
const BATCH_MAX = 256;
/**
 * Events within this time are published together. Nothing waits for it: relays take events at the hint of
 * their commit, and a transaction for each event cost more than the event (three statements between `begin`
 * and `commit`).
 */
const GATHER_MS = 50;

export interface OutboxPublisherDependencies {
  db: Database;
  connection: NatsConnection;
  log: Logger;
  /** Called with the types of events that the broker has acknowledged. */
  onPublished?(types: readonly string[]): void;
  tracing?: Tracing | undefined;
}

/** The job that moves the outbox to JetStream. */
export function outboxPublisher({
  db,
  connection,
  log,
  onPublished,
  tracing,
}: OutboxPublisherDependencies): StepJob {
  const store = new StoreWatch(connection, log);
  let begunAtMs = Number.NEGATIVE_INFINITY;
  return {
    name: 'outbox-publisher',
    isDue: isEventUnpublished,
    wakesOn: [hints.outbox],
    longestPauseMs: BROKER_PAUSE_MS,
    async step(stop, pulse) {
      const pauseMs = begunAtMs + GATHER_MS - performance.now();
      if (pauseMs > 0) await pulse.rest(wait(pauseMs, stop));
      begunAtMs = performance.now();
      const { published, types, failure, isFull } = await publishBatch(db, connection, BATCH_MAX, tracing);
      onPublished?.(types);
      if (published > 0) store.onAnswer();
      if (failure !== null) {
        // The broker may have lost its store.
        await ensureStreams(connection, { only: [EVENT_STREAM] });
        if (published === 0 && busFailure(failure) === 'silent') store.onUnacknowledged();
        throw failure;
      }
      if (!isFull) return false;
      begunAtMs = Number.NEGATIVE_INFINITY;
      return true;
    },
  };
}
