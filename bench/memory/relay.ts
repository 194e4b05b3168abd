import { hints } from '../../src/shared/bus/topology.ts';
import type { BenchCase } from '../cases/case.ts';
import { commitBatch } from '../pipeline/commit-events.ts';
import { emptyEvents } from '../pipeline/empty-events.ts';
import { createPipelineEnvironment } from '../pipeline/environment.ts';
import { untilNoOpenWork } from '../pipeline/open-work.ts';
import { replaceEndpoints } from '../pipeline/store-endpoints.ts';
import { measureLongRun, totalOf } from './long-run.ts';

const ENDPOINTS = 20;
const DELIVERIES = { full: 1_000_000, quick: 5_000, shortest: 200 };
/** Limits the backlog: the memory of a relay depends on it, which this case does not measure. */
const BATCH = 5_000;
const POLL_MS = 10;

/** Resident size of the relay over many deliveries to the same endpoints. */
export const relayMemory: BenchCase = async (options) => {
  const environment = await createPipelineEnvironment();
  try {
    const { sql, connection, subscribers, relayPid } = environment;
    await replaceEndpoints(sql, subscribers.origin, ENDPOINTS, environment.secretKey);
    const deliver = async (count: number) => {
      const wanted = (await subscribers.count()) + count;
      await commitBatch(sql, count / ENDPOINTS);
      connection.publish(hints.outbox);
      await subscribers.untilCount(wanted);
      await untilNoOpenWork(sql, POLL_MS);
      // The tables stay small: this case does not measure growing tables.
      await emptyEvents(sql);
    };
    // The relay has now started and sent something.
    await deliver(ENDPOINTS);
    return await measureLongRun({
      name: `resident size of the relay, ${ENDPOINTS} endpoints,`,
      pid: relayPid,
      unit: 'deliveries',
      total: totalOf(options, DELIVERIES),
      async work(count) {
        for (let done = 0; done < count; done += BATCH) await deliver(Math.min(BATCH, count - done));
      },
    });
  } finally {
    await environment.close();
  }
};
