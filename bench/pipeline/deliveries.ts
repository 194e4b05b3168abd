import type { Database } from '../../src/db/client.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { type BenchCase, ratio, sized, valuesOf } from '../cases/case.ts';
import { processCpu } from '../measurement/process-cpu.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { pairedRatio, type Spread } from '../measurement/statistics.ts';
import { until } from '../measurement/until.ts';
import { bareSender } from './bare-sender.ts';
import { commitBatch } from './commit-events.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from './environment.ts';
import { untilNoOpenWork } from './open-work.ts';
import { fetchSender, platformSender } from './platform-sender.ts';
import { startQueueSender } from './queue-sender.ts';
import { replaceEndpoints } from './store-endpoints.ts';

/** Deliveries of one round; a single endpoint gets fewer, because the deliveries in flight to it are limited. */
const DELIVERIES = { full: 20_000, quick: 1_000, shortest: 20 };
/** Relay and limit both keep a connection to each, and the subscriber may have to live with 20,000 open files. */
const MANY_ENDPOINTS = { full: 8_000, quick: 1_000, shortest: 120 };
const SINGLE_ENDPOINT_SHARE = 0.5;
/** Required deliveries per second to one endpoint. */
const SINGLE_ENDPOINT_RATE = 5_000;
const POLL_MS = 10;
const SINGLE = 'relay, 1 endpoint';
const HUNDRED = 'relay, 100 endpoints';
const BACKLOG = 'relay, backlog of 1 endpoint';
/** The HTTP client of the platform: what it does has not changed since the targets were set. */
const PLATFORM = 'bare sender loop of node:http (limit)';
const FETCH = 'bare sender loop of fetch (limit)';
/** The relay's client. */
const BARE = 'bare sender loop (limit)';
/** The relay's client with thousands of connections, each for two deliveries. */
const BARE_MANY = 'bare sender loop to thousands of endpoints (limit)';
const QUEUE = 'BullMQ + fetch on Node';

/**
 * Deliveries per second to 1, 100 and 8,000 endpoints, from committed events to stored results; to 1 from a backlog of
 * rows too. The limits are HTTP clients without queue or database: those of the platform, and the relay's own; the peer
 * a queue on Redis (not durable) with the `fetch` of Node.
 */
export const deliveries: BenchCase = async (options) => {
  const environment = await createPipelineEnvironment();
  const queue = options.peers === false ? null : await startQueueSender(environment.subscribers.origin);
  try {
    const count = sized(options, DELIVERIES);
    const many = sized(options, MANY_ENDPOINTS);
    const variants: Variant[] = [
      relayVariant(environment, 1, Math.ceil(count * SINGLE_ENDPOINT_SHARE)),
      backlogVariant(environment, Math.ceil(count * SINGLE_ENDPOINT_SHARE)),
      relayVariant(environment, 100, count),
      relayVariant(environment, many, Math.max(many, count)),
      { name: PLATFORM, run: () => platformSender(environment.subscribers.origin, count) },
      { name: FETCH, run: () => fetchSender(environment.subscribers.origin, count) },
      { name: BARE, run: () => bareSender(environment.subscribers.origin, count) },
      {
        name: BARE_MANY,
        run: () => bareSender(environment.subscribers.origin, Math.max(many, count), { endpoints: many }),
      },
      ...(queue === null ? [] : [{ name: QUEUE, run: () => queue.run(count) }]),
    ];
    const manyName = `relay, ${many.toLocaleString('en')} endpoints`;
    // Runs that are not counted, as warm-up: of a single endpoint, whose first round compiles most of what is measured.
    if (options.shortest !== true) for (const { run } of variants.slice(0, 2)) await run();
    const figures = await alternate(variants, options.rounds);
    const of = (name: string, to: string, figure: string) => ratio(figures, name, to, figure);
    return {
      name: 'deliveries per second, everything durable',
      figures,
      ratios: {
        'relay to 100 endpoints / bare sender of node:http': of(HUNDRED, PLATFORM, 'deliveriesPerSecond'),
        'relay to 100 endpoints / bare sender': of(HUNDRED, BARE, 'deliveriesPerSecond'),
        'relay to 100 endpoints / bare sender of fetch': of(HUNDRED, FETCH, 'deliveriesPerSecond'),
        'CPU of a bare send, relay client / fetch': of(BARE, FETCH, 'cpuMicroseconds'),
        'main thread CPU of a bare send, relay client / fetch': of(BARE, FETCH, 'mainThreadCpuMicroseconds'),
        'relay to thousands of endpoints / bare sender of node:http': of(
          manyName,
          PLATFORM,
          'deliveriesPerSecond',
        ),
        'relay to thousands of endpoints / bare sender': of(manyName, BARE, 'deliveriesPerSecond'),
        'relay to thousands of endpoints / bare sender to as many': of(
          manyName,
          BARE_MANY,
          'deliveriesPerSecond',
        ),
        'relay to 1 endpoint / bare sender': of(SINGLE, BARE, 'deliveriesPerSecond'),
        'relay to 1 endpoint from a backlog / bare sender': of(BACKLOG, BARE, 'deliveriesPerSecond'),
        'relay to 1 endpoint / 5,000 a second': per(valuesOf(figures, SINGLE, 'deliveriesPerSecond')),
        'relay to 1 endpoint from a backlog / 5,000 a second': per(
          valuesOf(figures, BACKLOG, 'deliveriesPerSecond'),
        ),
        'relay CPU / bare sender CPU': of(HUNDRED, BARE, 'cpuMicroseconds'),
        ...(queue === null
          ? {}
          : { 'relay to 100 endpoints / BullMQ': of(HUNDRED, QUEUE, 'deliveriesPerSecond') }),
      },
    };
  } finally {
    await queue?.close();
    await environment.close();
  }
};

function relayVariant(environment: PipelineEnvironment, endpoints: number, count: number): Variant {
  return {
    name: `relay, ${endpoints.toLocaleString('en')} endpoint${endpoints === 1 ? '' : 's'}`,
    async run() {
      const { sql, subscribers, secretKey } = environment;
      await replaceEndpoints(sql, subscribers.origin, endpoints, secretKey);
      const events = Math.ceil(count / endpoints);
      const received = await subscribers.count();
      await commitBatch(sql, events);
      return await measureDelivery(environment, received, events * endpoints, async () => {});
    },
  };
}

/** Delivers rows that already wait, as after the pause of an endpoint. */
function backlogVariant(environment: PipelineEnvironment, count: number): Variant {
  return {
    name: BACKLOG,
    async run() {
      const { sql, connection, subscribers, secretKey } = environment;
      await replaceEndpoints(sql, subscribers.origin, 1, secretKey);
      await sql`update webhook_endpoints set paused_until = 'infinity' where deleted_at is null`;
      const received = await subscribers.count();
      await commitBatch(sql, count);
      connection.publish(hints.outbox);
      await untilRows(sql, count);
      return await measureDelivery(environment, received, count, async () => {
        await sql`update webhook_endpoints set paused_until = null where deleted_at is null`;
        connection.publish(hints.deliveries);
      });
    },
  };
}

async function untilRows(sql: Database, count: number): Promise<void> {
  await until('every delivery has its row', async () => {
    const [row] = await sql<{ isDone: boolean }[]>`
      select (select count(*) from webhook_deliveries) = ${count}
        and not exists (select from events_to_publish) and not exists (select from events_to_fan_out) as is_done`;
    return row?.isDone;
  });
}

/** Measures from `begin` and a hint until `count` more requests were received and their results are stored. */
async function measureDelivery(
  { sql, connection, subscribers, relayPid }: PipelineEnvironment,
  received: number,
  count: number,
  begin: () => Promise<void>,
): Promise<Record<string, number>> {
  const before = processCpu(relayPid);
  const startedAt = performance.now();
  await begin();
  connection.publish(hints.outbox);
  await subscribers.untilCount(received + count);
  await untilNoOpenWork(sql, POLL_MS);
  const durationMs = performance.now() - startedAt;
  const after = processCpu(relayPid);
  const cpuMs = after.allMs - before.allMs;
  return {
    deliveriesPerSecond: (count * 1000) / durationMs,
    // A kernel that counts ticks alone may have none in a short run.
    ...(cpuMs > 0 && { deliveriesPerSecondPerCore: (count * 1000) / cpuMs }),
    cpuMicroseconds: (cpuMs * 1000) / count,
    mainThreadCpuMicroseconds: ((after.mainMs - before.mainMs) * 1000) / count,
  };
}

/** Rates divided by the required rate, round by round. */
function per(rates: readonly number[]): Spread {
  return pairedRatio(
    rates,
    rates.map(() => SINGLE_ENDPOINT_RATE),
  );
}
