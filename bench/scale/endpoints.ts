import { hints } from '../../src/shared/bus/topology.ts';
import { type EventName, eventType } from '../../src/shared/events/catalogue.ts';
import { type BenchCase, type CaseOptions, sized } from '../cases/case.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import { alternate } from '../measurement/rounds.ts';
import { commitBatch } from '../pipeline/commit-events.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from '../pipeline/environment.ts';
import { untilNoOpenWork } from '../pipeline/open-work.ts';
import { replaceEndpoints } from '../pipeline/store-endpoints.ts';
import { growthOf } from './growth.ts';
import { sizesUpTo } from './sizes.ts';

const SIZES = { full: [20, 1_000, 10_000, 100_000], quick: [20, 200, 2_000], shortest: [20, 40] };
const ROUNDS_MAX = 3;
const MATCHING = 20;
/** Events of one round; every matching endpoint gets each of them. */
const EVENTS = { full: 50, quick: 10, shortest: 1 };
/** Deliveries of one round in which every endpoint matches; more when there are more endpoints. */
const DELIVERIES = { full: 10_000, quick: 500, shortest: 20 };
const POLL_MS = 5;
const TO_FEW: EventName = 'launch.created';
const TO_ALL: EventName = 'launch.graduated';

/**
 * Deliveries by the number of endpoints: of events to which 20 endpoints subscribe, and of events to which all do.
 * Microseconds per delivery from the hint to the stored results, and of the relay's CPU.
 */
export const endpointScale: BenchCase = async (options) => {
  const environment = await createPipelineEnvironment();
  try {
    const sizes = sizesUpTo(options, SIZES).map((size) => ({
      name: `${size.toLocaleString('en')} endpoints`,
      size,
    }));
    const run = (size: number) => deliverTo(environment, size, options);
    if (options.shortest !== true) await run(MATCHING);
    const figures = await alternate(
      sizes.map(({ name, size }) => ({ name, run: () => run(size) })),
      Math.min(options.rounds, ROUNDS_MAX),
    );
    const growth = (figure: string) => growthOf(figures, sizes, figure);
    return {
      name: `deliveries by number of endpoints, everything durable`,
      figures,
      plot: 'sizes',
      ratios: {
        'growth per tenfold, delivery when 20 match': growth('whenTwentyMatchUs'),
        'growth per tenfold, delivery when all match': growth('whenAllMatchUs'),
        'growth per tenfold, relay CPU when 20 match': growth('whenTwentyMatchCpuUs'),
        'growth per tenfold, relay CPU when all match': growth('whenAllMatchCpuUs'),
      },
    };
  } finally {
    await environment.close();
  }
};

async function deliverTo(
  environment: PipelineEnvironment,
  size: number,
  options: CaseOptions,
): Promise<Record<string, number>> {
  // Spreads the matching ones evenly, also over a number of endpoints that is no multiple of theirs.
  const isOfFew = (number: number) => (number * MATCHING) % size < MATCHING;
  const typesOf = (number: number) => [TO_ALL, ...(isOfFew(number) ? [TO_FEW] : [])].map(eventType);
  await replaceEndpoints(
    environment.sql,
    environment.subscribers.origin,
    size,
    environment.secretKey,
    typesOf,
  );
  const few = await deliver(environment, TO_FEW, sized(options, EVENTS), MATCHING);
  const events = Math.ceil(sized(options, DELIVERIES) / size);
  const all = await deliver(environment, TO_ALL, events, size);
  return {
    whenTwentyMatchUs: few.us,
    whenAllMatchUs: all.us,
    whenTwentyMatchCpuUs: few.cpuUs,
    whenAllMatchCpuUs: all.cpuUs,
  };
}

async function deliver(
  { sql, connection, subscribers, relayPid }: PipelineEnvironment,
  name: EventName,
  events: number,
  matching: number,
): Promise<{ us: number; cpuUs: number }> {
  const deliveries = events * matching;
  const wanted = (await subscribers.count()) + deliveries;
  await commitBatch(sql, events, name);
  const cpuBeforeMs = processCpuMs(relayPid);
  const startedAtMs = performance.now();
  connection.publish(hints.outbox);
  await subscribers.untilCount(wanted);
  await untilNoOpenWork(sql, POLL_MS);
  const tookMs = performance.now() - startedAtMs;
  const cpuMs = processCpuMs(relayPid) - cpuBeforeMs;
  const [{ rows } = { rows: 0 }] = await sql<{ rows: number }[]>`
    select count(*)::int as rows from webhook_deliveries where event_type = ${eventType(name)} and status = 'succeeded'`;
  if (rows !== deliveries) throw new Error(`${rows} deliveries succeeded, not ${deliveries}`);
  return { us: (tookMs * 1000) / deliveries, cpuUs: (cpuMs * 1000) / deliveries };
}
