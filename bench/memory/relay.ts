import { hints } from '../../src/shared/bus/topology.ts';
import type { BenchCase } from '../cases/case.ts';
import { commitBatch } from '../pipeline/commit-events.ts';
import { createPipelineEnvironment } from '../pipeline/environment.ts';
import { untilNoOpenWork } from '../pipeline/open-work.ts';
import { useEndpoints } from '../pipeline/store-endpoints.ts';
import { measureLongRun } from './long-run.ts';

const ENDPOINTS = 20;
const DELIVERIES = { quick: 5_000, full: 1_000_000 };
/** Deliveries that are open at once: what a relay holds follows its backlog, and this is not about that. */
const AT_ONCE = 5_000;
const POLL_MS = 10;

/** Resident size of the relay over many deliveries to the same endpoints. */
export const relayMemory: BenchCase = async ({ quick = false }) => {
  const environment = await createPipelineEnvironment();
  try {
    const { sql, connection, subscribers, relayPid } = environment;
    await useEndpoints(sql, subscribers.origin, ENDPOINTS, environment.secretKey);
    const deliver = async (count: number) => {
      const wanted = (await subscribers.count()) + count;
      await commitBatch(sql, count / ENDPOINTS);
      connection.publish(hints.outbox);
      await subscribers.untilCount(wanted);
      await untilNoOpenWork(sql, POLL_MS);
      // The tables stay small, so that a million deliveries take the time of a million and not of a growing table.
      await sql`truncate webhook_deliveries, webhook_attempts, events`;
    };
    // From here on it has started and sent.
    await deliver(ENDPOINTS);
    return await measureLongRun({
      name: `resident size of the relay, ${ENDPOINTS} endpoints,`,
      pid: relayPid,
      unit: 'deliveries',
      total: quick ? DELIVERIES.quick : DELIVERIES.full,
      async work(count) {
        for (let done = 0; done < count; done += AT_ONCE) await deliver(Math.min(AT_ONCE, count - done));
      },
    });
  } finally {
    await environment.close();
  }
};
