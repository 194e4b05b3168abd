import type { Wakeup } from '../loop.ts';
import { type NatsConnection, onReconnect } from './connect.ts';
import type { Hint } from './topology.ts';

/**
 * Wakes a loop on a hint, and after a reconnect, before which hints were missed; others may be lost, so the
 * loop polls as well. Returns the function that ends the subscription.
 */
export function wakeOnHint(connection: NatsConnection, hint: Hint, wakeup: Wakeup): () => void {
  const subscription = connection.subscribe(hint, { callback: () => wakeup.wake() });
  const end = onReconnect(connection, () => wakeup.wake());
  return () => {
    end();
    subscription.unsubscribe();
  };
}
