import type { NatsConnection } from '@nats-io/transport-node';
import type { Wakeup } from '../loop.ts';
import type { Hint } from './topology.ts';

/** Wakes a loop on a hint; hints may be lost, so the loop polls as well. Returns the function that ends the subscription. */
export function wakeOnHint(connection: NatsConnection, hint: Hint, wakeup: Wakeup): () => void {
  const subscription = connection.subscribe(hint, { callback: () => wakeup.wake() });
  return () => subscription.unsubscribe();
}
