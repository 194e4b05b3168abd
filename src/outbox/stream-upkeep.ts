import type { NatsConnection } from '@nats-io/transport-node';
import type { StepJob } from '../db/jobs/job.ts';
import { busFailure } from '../shared/bus/failure.ts';
import { ensureStreams, TooFewNodes } from '../shared/bus/streams.ts';
import type { Logger } from '../shared/log.ts';
import { StoreWatch } from './store-watch.ts';

const INTERVAL_MS = 10_000;

export interface StreamUpkeepDependencies {
  connection: NatsConnection;
  log: Logger;
}

/** For the start: makes the streams and moves them, as far as the cluster has nodes for them. */
export async function makeStreams(connection: NatsConnection): Promise<void> {
  try {
    await ensureStreams(connection, { move: true });
  } catch (error) {
    if (!(error instanceof TooFewNodes)) throw error;
  }
}

/**
 * Makes streams again that the broker has lost, and moves them to the configured number of replicas: once per
 * process, so that workers with different numbers do not move them to and fro. Too few nodes are logged and
 * tried again: the streams stay as they are, and the worker works. Silence is looked into.
 */
export function streamUpkeep({ connection, log }: StreamUpkeepDependencies): StepJob {
  let move = true;
  let refused = false;
  const store = new StoreWatch(connection, log);
  return {
    name: 'stream-upkeep',
    everyMs: INTERVAL_MS,
    async step() {
      try {
        await ensureStreams(connection, { move });
        store.onAnswer();
        if (refused) log.info('streams.moved');
        move = false;
        refused = false;
      } catch (error) {
        if (busFailure(error) === 'silent') await store.onSilence();
        if (!(error instanceof TooFewNodes)) throw error;
        if (!refused) log.error({ reason: error.message }, 'streams.too_few_nodes');
        refused = true;
      }
      return false;
    },
  };
}
