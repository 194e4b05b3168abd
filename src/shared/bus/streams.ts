import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
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
/** A message without an acknowledgement for this long is given to another worker. */
export const ACK_WAIT_MS = 30_000;
/** nats-server's error code for an existing stream with another configuration. */
const STREAM_NAME_IN_USE = 10_058;
const CONSUMER_NOT_FOUND = 10_014;

/** A full stream refuses new messages, which their sender keeps, instead of dropping old ones. */
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
      // Only add subjects: during an upgrade a process of the earlier release must not remove subjects of the
      // next.
      const subjects = [...new Set([...config.subjects, ...stream.subjects])];
      await manager.streams.update(stream.name, { ...stream, subjects });
    }
  }
}

export interface ConsumerStart {
  /** Sequence of its first message; absent: the first message in the stream. */
  startSequence?: number;
  /** The server deletes a consumer without readers after this time; absent: never. */
  unusedMs?: number;
}

/**
 * Returns the durable pull consumer, created when the server does not have it (first start, or a lost store).
 */
export async function ensureConsumer(
  connection: NatsConnection,
  definition: ConsumerDefinition,
  { startSequence, unusedMs }: ConsumerStart = {},
): Promise<Consumer> {
  const manager = await jetstreamManager(connection);
  const config: Partial<ConsumerConfig> = {
    durable_name: definition.name,
    filter_subject: definition.filterSubject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: definition.maxAckPending,
    max_deliver: -1,
    ...(startSequence === undefined
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: startSequence }),
    ...(unusedMs === undefined ? {} : { inactive_threshold: nanos(unusedMs) }),
  };
  try {
    await manager.consumers.add(definition.stream, config);
  } catch (error) {
    // Another process has just created it with another start.
    if (startSequence === undefined || (await findConsumer(manager, definition)) === null) throw error;
  }
  return jetstream(connection).consumers.get(definition.stream, definition.name);
}

/** Returns the server's state of a consumer; null when it has none of this name. */
export async function findConsumer(
  manager: JetStreamManager,
  { stream, name }: Pick<ConsumerDefinition, 'stream' | 'name'>,
): Promise<ConsumerInfo | null> {
  try {
    return await manager.consumers.info(stream, name);
  } catch (error) {
    if (isApiError(error, CONSUMER_NOT_FOUND)) return null;
    throw error;
  }
}

/** Returns the state of the consumer in use, for one with epochs the newest. Rejects when there is none. */
export async function readConsumer(
  manager: JetStreamManager,
  definition: Pick<ConsumerDefinition, 'stream' | 'name' | 'hasEpochs'>,
): Promise<ConsumerInfo> {
  const { stream, name, hasEpochs = false } = definition;
  if (!hasEpochs) return manager.consumers.info(stream, name);
  let newest: ConsumerInfo | null = null;
  for await (const info of manager.consumers.list(stream)) {
    if (!info.name.startsWith(`${name}-`)) continue;
    if (newest === null || Date.parse(info.created) > Date.parse(newest.created)) newest = info;
  }
  if (newest === null) throw new Error(`no process has made a consumer ${name} of ${stream} yet`);
  return newest;
}

/** Counts the messages in a stream. Rejects when there is none of this name. */
export async function countMessages(connection: NatsConnection, stream: string): Promise<number> {
  const { streams: named } = await jetstreamManager(connection);
  return (await named.info(stream)).state.messages;
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
