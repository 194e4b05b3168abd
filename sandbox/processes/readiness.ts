import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '../../src/shared/bus/connect.ts';
import { readConsumer } from '../../src/shared/bus/durable-consumers.ts';
import type { ConsumerDefinition } from '../../src/shared/bus/topology.ts';

const PAUSE_MS = 25;

/** A probe for `startChild` with a pause between checks. A check that fails means not ready. */
export function probe(isReady: () => Promise<boolean>): () => Promise<boolean> {
  return async () => {
    if (await isReady().catch(() => false)) return true;
    await delay(PAUSE_MS);
    return false;
  };
}

/** Whether the api serves and reaches its dependencies. */
export async function apiIsReady(origin: string): Promise<boolean> {
  return (await fetch(`${origin}/readyz`)).ok;
}

/** Whether a process waits for messages of the consumer, so that it is connected and works. Unlike a log line this does
 * not depend on LOG_LEVEL. */
export async function isConsuming(
  connection: NatsConnection,
  definition: ConsumerDefinition,
): Promise<boolean> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  return ((await readConsumer(manager, definition)).num_waiting ?? 0) > 0;
}
