import { hints } from '../../src/shared/bus/topology.ts';
import { type BenchCase, ratio, sized, warmsUp } from '../cases/case.ts';
import { epochMs } from '../cases/subscribers.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { type BareOptions, bareSender, createConnections } from './bare-sender.ts';
import { commitBatch } from './commit-events.ts';
import { emptyEvents } from './empty-events.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from './environment.ts';
import { untilNoOpenWork } from './open-work.ts';
import { replaceEndpoints } from './store-endpoints.ts';

/** Relay and limit both keep a connection to each, and the subscriber may have to live with 20,000 open files. */
const ENDPOINTS = { full: 8_000, quick: 1_000, shortest: 20 };
const POLL_MS = 10;
const RELAY = 'relay';
const BARE = 'bare sender loop (limit)';

/**
 * One public event to 8,000 endpoints: from its commit to the first byte at the first, the median and the last
 * endpoint. The limit is the same HTTP client with a loop over as many endpoints. Both keep connections from round to
 * round, as many as the relay does.
 */
export const lastFirstByte: BenchCase = async (options) => {
  const { rounds } = options;
  const endpoints = sized(options, ENDPOINTS);
  const environment = await createPipelineEnvironment();
  const bare = { endpoints, connections: createConnections() };
  try {
    const { sql, subscribers, secretKey } = environment;
    await replaceEndpoints(sql, subscribers.origin, endpoints, secretKey);
    const variants: Variant[] = [
      { name: RELAY, run: () => sendOne(environment, endpoints) },
      { name: BARE, run: () => sendBare(environment, bare) },
    ];
    // Runs that are not counted, as warm-up.
    if (warmsUp(options)) for (const { run } of variants) await run();
    const figures = await alternate(variants, rounds);
    return {
      name: `one event to ${endpoints.toLocaleString('en')} endpoints: first byte, everything durable`,
      figures,
      ratios: {
        'last first byte, relay / bare sender': ratio(figures, RELAY, BARE, 'lastMs'),
        'median first byte, relay / bare sender': ratio(figures, RELAY, BARE, 'medianMs'),
      },
    };
  } finally {
    bare.connections.close();
    await environment.close();
  }
};

async function sendOne(
  { sql, connection, subscribers }: PipelineEnvironment,
  endpoints: number,
): Promise<Record<string, number>> {
  await emptyEvents(sql);
  const wanted = (await subscribers.count()) + endpoints;
  await subscribers.startRecording();
  await commitBatch(sql, 1);
  const committedAtMs = epochMs();
  connection.publish(hints.outbox);
  await subscribers.untilCount(wanted);
  await untilNoOpenWork(sql, POLL_MS);
  const storedMs = epochMs() - committedAtMs;
  return { ...(await firstBytes(subscribers, committedAtMs, endpoints)), storedMs };
}

async function sendBare(
  { subscribers }: PipelineEnvironment,
  options: Required<BareOptions>,
): Promise<Record<string, number>> {
  await subscribers.startRecording();
  const startedAtMs = epochMs();
  await bareSender(subscribers.origin, options.endpoints, options);
  return await firstBytes(subscribers, startedAtMs, options.endpoints);
}

/** Milliseconds from the start to the first, the median and the last arrival. */
async function firstBytes(
  subscribers: PipelineEnvironment['subscribers'],
  startedAtMs: number,
  endpoints: number,
): Promise<Record<string, number>> {
  const sinceStartMs = (await subscribers.arrivals())
    .map(({ atMs }) => atMs - startedAtMs)
    .sort((a, b) => a - b);
  if (sinceStartMs.length !== endpoints) throw new Error(`${sinceStartMs.length} requests arrived`);
  const at = (index: number) => sinceStartMs[index] ?? Number.NaN;
  return { firstMs: at(0), medianMs: at(Math.floor(endpoints / 2)), lastMs: at(endpoints - 1) };
}
