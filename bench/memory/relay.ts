import { hints } from '../../src/shared/bus/topology.ts';
import { wait } from '../../src/shared/loop.ts';
import type { BenchCase } from '../cases/case.ts';
import { commitBatch } from '../pipeline/commit-events.ts';
import { startRig } from '../pipeline/environment.ts';
import { useEndpoints } from '../pipeline/store-endpoints.ts';
import { openWork } from '../soak/findings.ts';
import { measureLongRun } from './long-run.ts';

const ENDPOINTS = 20;
const DELIVERIES = { quick: 5_000, full: 1_000_000 };
/** Deliveries that are open at once: what a relay holds follows its backlog, and this is not about that. */
const AT_ONCE = 5_000;
const POLL_MS = 10;
const NEVER = new AbortController().signal;

/** Resident size of the relay over many deliveries to the same endpoints. */
export const relayMemory: BenchCase = async ({ quick = false }) => {
  const rig = await startRig();
  try {
    const { sql, connection, subscribers, pids } = rig;
    if (pids.relay === undefined) throw new Error('the rig has no relay');
    await useEndpoints(sql, subscribers.origin, ENDPOINTS, rig.secretKey);
    const deliver = async (count: number) => {
      const wanted = (await subscribers.count()) + count;
      await commitBatch(sql, count / ENDPOINTS);
      connection.publish(hints.outbox);
      await subscribers.untilCount(wanted);
      while ((await openWork(sql)) > 0) await wait(POLL_MS, NEVER);
      // The tables stay small, so that a million deliveries take the time of a million and not of a growing table.
      await sql`truncate webhook_deliveries, webhook_attempts, events`;
    };
    // From here on it has started and sent.
    await deliver(ENDPOINTS);
    return await measureLongRun({
      name: `resident size of the relay, ${ENDPOINTS} endpoints,`,
      pid: pids.relay,
      unit: 'deliveries',
      total: quick ? DELIVERIES.quick : DELIVERIES.full,
      async work(count) {
        for (let done = 0; done < count; done += AT_ONCE) await deliver(Math.min(AT_ONCE, count - done));
      },
    });
  } finally {
    await rig.close();
  }
};
