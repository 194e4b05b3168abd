import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import type { Subscribers } from '../cases/subscribers.ts';
import { residentMb } from '../memory/resident-size.ts';
import { commitBatch } from '../pipeline/commit-events.ts';
import { untilNoOpenWork } from '../pipeline/open-work.ts';
import { replaceEndpoints } from '../pipeline/store-endpoints.ts';
import { each, type Meter } from './meters.ts';

const POLL_MS = 20;
const KB_PER_MB = 1_000;

/** Delivers public events to `endpoints` endpoints, and measures from their commit until all results are stored. */
export async function measureDeliveries(
  { database, natsUrl, secretKey }: BenchEnvironment,
  subscribers: Subscribers,
  { endpoints, events }: { endpoints: number; events: number },
  meter: Meter,
): Promise<Record<string, number>> {
  const connection = await connectBus(natsUrl, 'bench');
  try {
    await replaceEndpoints(database, subscribers.origin, endpoints, secretKey);
    const count = endpoints * events;
    const received = await subscribers.count();
    const taken = await meter(async () => {
      await commitBatch(database, events);
      connection.publish(hints.outbox);
      await subscribers.untilCount(received + count);
      await untilNoOpenWork(database, POLL_MS);
    });
    // The submissions that follow have no subscriber.
    await database`update webhook_endpoints set deleted_at = now() where deleted_at is null`;
    return {
      deliveryRelayUs: each(taken.relayMs, count),
      deliveryWorkerUs: each(taken.workerMs, count),
      deliveryPostgresUs: each(taken.postgresMs, count),
      deliveryNatsUs: each(taken.natsMs, count),
      deliveryWalBytes: taken.walBytes / count,
      deliveryKeptBytes: taken.keptBytes / count,
    };
  } finally {
    await connection.close();
  }
}

/**
 * Memory of a relay for each endpoint, in kilobytes. One endpoint gets a delivery, which shows that the relay has read
 * all.
 */
export async function measureEndpoints(
  { database, natsUrl, secretKey }: BenchEnvironment,
  relay: BenchServer,
  subscribers: Subscribers,
  endpoints: number,
): Promise<Record<string, number>> {
  const connection = await connectBus(natsUrl, 'bench');
  try {
    const beforeMb = residentMb(relay.pid).nowMb;
    const last = endpoints - 1;
    await replaceEndpoints(database, subscribers.origin, endpoints, secretKey, (number) => [
      eventType(number === last ? 'launch.graduated' : 'launch.failed'),
    ]);
    const received = await subscribers.count();
    await commitBatch(database, 1, 'launch.graduated');
    connection.publish(hints.outbox);
    await subscribers.untilCount(received + 1);
    await untilNoOpenWork(database, POLL_MS);
    return {
      endpointRelayKb: Math.max(0, ((residentMb(relay.pid).nowMb - beforeMb) * KB_PER_MB) / endpoints),
    };
  } finally {
    await connection.close();
  }
}
