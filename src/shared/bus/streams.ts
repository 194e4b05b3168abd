import {
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { ConfigurationError } from '../configuration-error.ts';
import { streamReplicasOf } from './connect.ts';
import { busFailure } from './failure.ts';
import { changes, isApiFailure, lookUps } from './managers.ts';
import {
  ACCOUNT_EVENT_SUBJECTS,
  EVENT_STREAM,
  INGEST_REJECTED_STREAM,
  INGEST_REJECTED_SUBJECT,
  INGEST_STREAM,
  ingestKinds,
  ingestSubject,
  PUBLIC_EVENT_SUBJECT,
} from './topology.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A full stream refuses new messages, which their sender keeps, instead of dropping old ones. */
const streamDefaults = {
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_age: nanos(7 * DAY_MS),
  duplicate_window: nanos(10 * 60 * 1000),
} satisfies Partial<StreamConfig>;

type StreamDefinition = typeof streamDefaults & { name: string; subjects: string[] };

const streams: readonly StreamDefinition[] = [
  { ...streamDefaults, name: EVENT_STREAM, subjects: [PUBLIC_EVENT_SUBJECT, ACCOUNT_EVENT_SUBJECTS] },
  { ...streamDefaults, name: INGEST_STREAM, subjects: ingestKinds.map(ingestSubject) },
  { ...streamDefaults, name: INGEST_REJECTED_STREAM, subjects: [INGEST_REJECTED_SUBJECT] },
];
export const streamNames: readonly string[] = streams.map(({ name }) => name);

/** An existing stream cannot have the configured replicas: the cluster has too few nodes. It stays as it is. */
export class TooFewNodes extends Error {
  override readonly name = 'TooFewNodes';
}

interface EnsureOptions {
  /** Only these streams; absent: all of them. */
  only?: readonly string[];
  /**
   * Moves existing streams to the number of replicas of the connection as well. For the start of a process:
   * processes with another number then follow one another, and the last one to start decides.
   */
  move?: boolean;
}

/**
 * Creates and updates streams; safe to call from several processes concurrently, and of neighbouring
 * releases. Does what it can for every stream, then throws a failure; ConfigurationError when the broker is
 * no cluster but several replicas are configured, `TooFewNodes` only when every stream is there.
 */
export async function ensureStreams(connection: NatsConnection, options: EnsureOptions = {}): Promise<void> {
  const { only = streamNames, move = false } = options;
  const wanted = streams.filter(({ name }) => only.includes(name));
  const outcomes = await Promise.allSettled(wanted.map((stream) => ensureStream(connection, stream, move)));
  const failures: unknown[] = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  if (failures.length > 0) throw failures.find((failure) => !(failure instanceof TooFewNodes)) ?? failures[0];
}

async function ensureStream(
  connection: NatsConnection,
  stream: StreamDefinition,
  move: boolean,
): Promise<void> {
  const replicas = streamReplicasOf(connection);
  const manager = await changes(connection);
  let exists = false;
  try {
    const found = await findStream(await lookUps(connection), stream.name);
    const known = found ?? (await addStream(manager, stream, replicas));
    exists = true;
    const difference = (now: StreamConfig) => updateOf(now, stream, move ? replicas : now.num_replicas);
    const update = difference(known.config);
    if (update !== null)
      await manager.streams.update(stream.name, update).catch(async (error: unknown) => {
        // A cluster may answer only one of several updates at once.
        const now = busFailure(error) === 'silent' ? await manager.streams.info(stream.name) : null;
        if (now === null || difference(now.config) !== null) throw error;
      });
  } catch (error) {
    if (isApiFailure(error, 'notClustered')) throw new ConfigurationError([notClustered(replicas)]);
    if (!isApiFailure(error, 'noPeers')) throw error;
    const sentence = tooFewNodes(stream.name, replicas);
    throw exists ? new TooFewNodes(sentence) : new Error(sentence);
  }
}

/** Returns the server's state of a stream; null when it has none of this name. */
export async function findStream(manager: JetStreamManager, name: string): Promise<StreamInfo | null> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (isApiFailure(error, 'streamNotFound')) return null;
    throw error;
  }
}

async function addStream(manager: JetStreamManager, stream: StreamDefinition, replicas: number) {
  try {
    return await manager.streams.add({ ...stream, num_replicas: replicas });
  } catch (error) {
    // Another process has just created it with another configuration.
    if (!isApiFailure(error, 'nameInUse')) throw error;
    return await manager.streams.info(stream.name);
  }
}

/** The difference between a stream and its definition; null when there is none: a cluster votes on each update. */
function updateOf(
  known: StreamConfig,
  stream: StreamDefinition,
  replicas: number,
): Partial<StreamConfig> | null {
  // Only add subjects: during an upgrade a process of the earlier release must not remove subjects of the
  // next.
  const subjects = [...new Set([...known.subjects, ...stream.subjects])];
  const isSame =
    subjects.length === known.subjects.length &&
    known.retention === stream.retention &&
    known.discard === stream.discard &&
    known.max_age === stream.max_age &&
    known.duplicate_window === stream.duplicate_window &&
    known.num_replicas === replicas;
  return isSame ? null : { ...stream, subjects, num_replicas: replicas };
}

const notClustered = (replicas: number) =>
  `NATS_STREAM_REPLICAS must be 1: the server of NATS_URL is no cluster, and ${replicas} replicas need ${replicas} nodes`;

const tooFewNodes = (stream: string, replicas: number) =>
  `NATS_STREAM_REPLICAS is ${replicas}, but the cluster has fewer nodes that can hold the stream ${stream}: add nodes, or set a smaller number`;

/** Counts the messages in a stream. Rejects when there is none of this name. */
export async function countMessages(connection: NatsConnection, stream: string): Promise<number> {
  const { streams: named } = await lookUps(connection);
  return (await named.info(stream)).state.messages;
}
