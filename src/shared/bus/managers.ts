import { JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/**
 * A broker answers within milliseconds, and never while a stream or consumer has no leader: whoever waits
 * longer finds the next leader late.
 */
const LOOK_UP_TIMEOUT_MS = 1_000;
/** A cluster takes a change when most of its nodes have it. */
const CHANGE_TIMEOUT_MS = 5_000;

/** nats-server's error codes. */
const codes = {
  noPeers: 10_005,
  /** No leader of the cluster. */
  unavailable: 10_008,
  consumerNotFound: 10_014,
  nameInUse: 10_058,
  streamNotFound: 10_059,
  notClustered: 10_074,
} as const;
type ApiFailure = keyof typeof codes;

export function isApiFailure(error: unknown, ...failures: readonly ApiFailure[]): boolean {
  return error instanceof JetStreamApiError && failures.some((failure) => error.code === codes[failure]);
}

/** JetStream's API for requests that change nothing; makes no request itself. */
export function lookUps(connection: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(connection, { checkAPI: false, timeout: LOOK_UP_TIMEOUT_MS });
}

/** JetStream's API for requests that create and change; makes no request itself. */
export function changes(connection: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(connection, { checkAPI: false, timeout: CHANGE_TIMEOUT_MS });
}
