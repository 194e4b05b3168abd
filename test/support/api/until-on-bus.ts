import { eventually } from '../run/eventually.ts';
import type { TestApi } from './api.ts';

/** The first connection to the bus is a gap, at which everything cached is forgotten. Waits until it is over. */
export async function untilOnBus({ dependencies }: TestApi): Promise<void> {
  const bus = dependencies.operational.readiness.find(({ name }) => name === 'nats');
  await eventually('the bus', async () => (await bus?.check())?.ready === true);
}
