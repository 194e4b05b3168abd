import { checkByAsking, type Readiness } from '../readiness.ts';
import type { NatsConnection } from './connect.ts';

/** @param connection null before the first connection. */
export function busReadiness(connection: () => NatsConnection | null): Readiness {
  return {
    name: 'nats',
    required: true,
    check: () =>
      checkByAsking(async () => {
        const current = connection();
        if (current === null) throw new Error('not connected yet');
        await current.rtt();
      }),
  };
}
