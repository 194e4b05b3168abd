import { checkByAsking, type Readiness } from '../readiness.ts';
import type { NatsConnection } from './connect.ts';
import { askBroker } from './round-trip.ts';

/** Ready while the broker responds. @param connection null before the first connection. */
export function busReadiness(connection: () => NatsConnection | null): Readiness {
  return {
    name: 'nats',
    required: true,
    check: () => checkByAsking(() => askBroker(connection())),
  };
}
