import { checkByAsking, type Readiness } from '../readiness.ts';
import type { NatsConnection } from './connect.ts';
import { busFailure, busFailures } from './failure.ts';
import { pingBroker } from './round-trip.ts';

/** The reason why the broker is not usable, as a sentence; null for other errors. */
export function busReason(error: unknown): string | null {
  const failure = busFailure(error);
  return failure === null ? null : busFailures[failure];
}

/**
 * Ready while the broker responds and refuses nothing to this connection.
 * @param connection null before the first connection
 */
export function busReadiness(connection: () => NatsConnection | null): Readiness {
  return {
    name: 'nats',
    required: true,
    check: () => checkByAsking(() => pingBroker(connection()), busReason),
  };
}
