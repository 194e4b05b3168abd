import { hints } from '../../src/shared/bus/topology.ts';
import { type BenchCase, ratio, sized, warmsUp } from '../cases/case.ts';
import { busyCores } from '../measurement/busy-cores.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { until } from '../measurement/until.ts';
import { commitBatch } from './commit-events.ts';
import { emptyEvents } from './empty-events.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from './environment.ts';
import { untilNoOpenWork } from './open-work.ts';
import { replaceEndpoints } from './store-endpoints.ts';

const ENDPOINTS = 100;
const EVENTS = { full: 400, quick: 10, shortest: 1 };
const POLL_MS = 10;
const ONE = 'one relay';
const TWO = 'two relays';

/**
 * Deliveries per second of two relays beside one. `busyCores` is what all processes of the machine used of its cores
 * meanwhile: where one relay with its database and its subscribers leaves less than half of them idle, the machine is
 * the limit and the ratio says nothing about relays.
 */
export const relays: BenchCase = async (options) => {
  const { rounds } = options;
  const environment = await createPipelineEnvironment();
  try {
    const { sql, subscribers, secretKey } = environment;
    await replaceEndpoints(sql, subscribers.origin, ENDPOINTS, secretKey);
    const events = sized(options, EVENTS);
    const variants: Variant[] = [
      { name: ONE, run: () => deliver(environment, events, [environment.relayPid]) },
      { name: TWO, run: () => besideAnother(environment, events) },
    ];
    // Runs that are not counted, as warm-up.
    if (warmsUp(options)) for (const { run } of variants) await run();
    const figures = await alternate(variants, rounds);
    return {
      name: `deliveries of two relays and of one, ${ENDPOINTS} endpoints, everything durable`,
      figures,
      ratios: {
        'two relays / one': ratio(figures, TWO, ONE, 'deliveriesPerSecond'),
        'busy cores, two relays / one': ratio(figures, TWO, ONE, 'busyCores'),
      },
    };
  } finally {
    await environment.close();
  }
};

async function besideAnother(
  environment: PipelineEnvironment,
  events: number,
): Promise<Record<string, number>> {
  const second = await environment.startRelay();
  try {
    await untilShared(environment);
    // The engine compiles hot code during the first deliveries.
    if (events > 1) await deliver(environment, Math.ceil(events / 2), []);
    return await deliver(environment, events, [environment.relayPid, second.pid]);
  } finally {
    await second.stop();
  }
}

/** Waits until both relays have recorded that they know each other. */
async function untilShared({ sql }: PipelineEnvironment): Promise<void> {
  await until('both relays know each other', async () => {
    const members = await sql`
      select from relay_members where cardinality(view) = 2 and beat_at > now() - interval '1 second'`;
    return members.count === 2;
  });
}

async function deliver(
  { sql, connection, subscribers }: PipelineEnvironment,
  events: number,
  pids: readonly number[],
): Promise<Record<string, number>> {
  await emptyEvents(sql);
  const count = events * ENDPOINTS;
  const wanted = (await subscribers.count()) + count;
  await commitBatch(sql, events);
  const cpuMs = () => pids.reduce((sum, pid) => sum + processCpuMs(pid), 0);
  const cpuBeforeMs = cpuMs();
  const startedAtMs = performance.now();
  const busy = busyCores();
  // A hint wakes one relay; the second one gets its own.
  for (const _pid of pids) connection.publish(hints.outbox);
  connection.publish(hints.outbox);
  await subscribers.untilCount(wanted);
  await untilNoOpenWork(sql, POLL_MS);
  const tookMs = performance.now() - startedAtMs;
  return {
    deliveriesPerSecond: (count * 1000) / tookMs,
    relayCpuMicroseconds: ((cpuMs() - cpuBeforeMs) * 1000) / count,
    busyCores: busy(),
  };
}
