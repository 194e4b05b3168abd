import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import {
  ACCOUNT_EVENT_SUBJECTS,
  type ConsumerDefinition,
  EVENT_STREAM,
  INGEST_REJECTED_STREAM,
  INGEST_REJECTED_SUBJECT,
  INGEST_STREAM,
  ingestKinds,
  ingestSubject,
  PUBLIC_EVENT_SUBJECT,
} from './topology.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** After this long without an acknowledgement a message is given to another worker. */
export const ACK_WAIT_MS = 30_000;
/** nats-server's error code for a stream that exists with another configuration. */
const STREAM_NAME_IN_USE = 10_058;
const CONSUMER_NOT_FOUND = 10_014;

/** A full stream refuses new messages (the sender keeps them) instead of dropping old ones. */
const streamDefaults = {
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_age: nanos(7 * DAY_MS),
  duplicate_window: nanos(10 * 60 * 1000),
} satisfies Partial<StreamConfig>;

const streams: readonly (Partial<StreamConfig> & { name: string; subjects: string[] })[] = [
  { ...streamDefaults, name: EVENT_STREAM, subjects: [PUBLIC_EVENT_SUBJECT, ACCOUNT_EVENT_SUBJECTS] },
  { ...streamDefaults, name: INGEST_STREAM, subjects: ingestKinds.map(ingestSubject) },
  { ...streamDefaults, name: INGEST_REJECTED_STREAM, subjects: [INGEST_REJECTED_SUBJECT] },
];

/** Creates or updates every stream; safe to call from several processes concurrently. */
export async function ensureStreams(connection: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(connection);
  for (const stream of streams) {
    try {
      await manager.streams.add(stream);
    } catch (error) {
      if (!isApiError(error, STREAM_NAME_IN_USE)) throw error;
      const { config } = await manager.streams.info(stream.name);
      // Only ever wider: during an upgrade a process of the earlier release must not close subjects of the next.
      const subjects = [...new Set([...config.subjects, ...stream.subjects])];
      await manager.streams.update(stream.name, { ...stream, subjects });
    }
  }
}

/** The durable pull consumer, created when the server does not have it (first start, or a lost store). */
export async function ensureConsumer(
  connection: NatsConnection,
  definition: ConsumerDefinition,
): Promise<Consumer> {
  const manager = await jetstreamManager(connection);
  const config: Partial<ConsumerConfig> = {
    durable_name: definition.name,
    filter_subject: definition.filterSubject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: definition.maxAckPending,
    max_deliver: -1,
  };
  await manager.consumers.add(definition.stream, config);
  return jetstream(connection).consumers.get(definition.stream, definition.name);
}

/**
 * Makes a durable consumer begin anew: its readers notice within seconds and read the whole stream again. Returns how
 * many messages the stream holds.
 */
export async function forgetPosition(
  connection: NatsConnection,
  { stream, name }: ConsumerDefinition,
): Promise<number> {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(stream);
  await manager.consumers.delete(stream, name).catch((error: unknown) => {
    if (!isApiError(error, CONSUMER_NOT_FOUND)) throw error;
  });
  return state.messages;
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
