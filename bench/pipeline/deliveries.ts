import { hints } from '../../src/shared/bus/topology.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { bareSender } from './bare-sender.ts';
import { commitBatch } from './commit-events.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from './environment.ts';
import { untilNoOpenWork } from './open-work.ts';
import { startQueueSender } from './queue-sender.ts';
import { replaceEndpoints } from './store-endpoints.ts';

/** Deliveries of one round; a single endpoint gets fewer, because the deliveries in flight to it are limited. */
const DELIVERIES = { quick: 1_000, full: 20_000 };
const MANY_ENDPOINTS = { quick: 1_000, full: 10_000 };
const SINGLE_ENDPOINT_SHARE = 0.25;
const BARE = 'bare sender loop (limit)';
const QUEUE = 'BullMQ + HTTP agent on Node';

/**
 * Deliveries per second to 1, 100 and 10,000 endpoints, from committed events to stored results. The limit is the same
 * HTTP client without queue or database, the peer a queue on Redis (not durable) with a keep-alive client on Node.
 */
export const deliveries: BenchCase = async (options) => {
  const environment = await createPipelineEnvironment();
  const queue = options.peers === false ? null : await startQueueSender(environment.subscribers.origin);
  try {
    const count = options.quick === true ? DELIVERIES.quick : DELIVERIES.full;
    const many = options.quick === true ? MANY_ENDPOINTS.quick : MANY_ENDPOINTS.full;
    const variants: Variant[] = [
      relayVariant(environment, 1, Math.ceil(count * SINGLE_ENDPOINT_SHARE)),
      relayVariant(environment, 100, count),
      relayVariant(environment, many, Math.max(many, count)),
      { name: BARE, run: () => bareSender(environment.subscribers.origin, count) },
      ...(queue === null ? [] : [{ name: QUEUE, run: () => queue.run(count) }]),
    ];
    const figures = await alternate(variants, options.rounds);
    const of = (name: string, to: string, figure: string) => ratio(figures, name, to, figure);
    return {
      name: 'deliveries per second, everything durable',
      figures,
      ratios: {
        'relay to 100 endpoints / bare sender': of('relay, 100 endpoints', BARE, 'deliveriesPerSecond'),
        'relay to thousands of endpoints / bare sender': of(
          `relay, ${many.toLocaleString('en')} endpoints`,
          BARE,
          'deliveriesPerSecond',
        ),
        'relay to 1 endpoint / bare sender': of('relay, 1 endpoint', BARE, 'deliveriesPerSecond'),
        'relay CPU / bare sender CPU': of('relay, 100 endpoints', BARE, 'cpuMicroseconds'),
        ...(queue === null
          ? {}
          : { 'relay to 100 endpoints / BullMQ': of('relay, 100 endpoints', QUEUE, 'deliveriesPerSecond') }),
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
      await replaceEndpoints(
        environment.sql,
        environment.subscribers.origin,
        endpoints,
        environment.secretKey,
      );
      const events = Math.ceil(count / endpoints);
      const wanted = (await environment.subscribers.count()) + events * endpoints;
      await commitBatch(environment.sql, events);
      const cpuBeforeMs = processCpuMs(environment.relayPid);
      const startedAt = performance.now();
      environment.connection.publish(hints.outbox);
      await environment.subscribers.untilCount(wanted);
      await untilNoOpenWork(environment.sql, 10);
      const durationMs = performance.now() - startedAt;
      const cpuMs = processCpuMs(environment.relayPid) - cpuBeforeMs;
      const delivered = events * endpoints;
      return {
        deliveriesPerSecond: (delivered * 1000) / durationMs,
        deliveriesPerSecondPerCore: (delivered * 1000) / cpuMs,
        cpuMicroseconds: (cpuMs * 1000) / delivered,
      };
    },
  };
}
