import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  type JetStreamManager,
  jetstream,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { changes, isApiFailure, lookUps } from './managers.ts';
import type { ConsumerDefinition } from './topology.ts';

/** A message without an acknowledgement for this long is given to another worker. */
export const ACK_WAIT_MS = 30_000;

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
  const manager = await lookUps(connection);
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
  const known = await findConsumer(manager, definition);
  if (known !== null && isSame(known.config, config)) return consumerOf(connection, known);
  try {
    const made = await (await changes(connection)).consumers.add(definition.stream, config);
    return consumerOf(connection, made);
  } catch (error) {
    // Another process has just created it with another start.
    const other = startSequence === undefined ? null : await findConsumer(manager, definition);
    if (other === null) throw error;
    return consumerOf(connection, other);
  }
}

/** A cluster votes on each update, also of a consumer that stays the same. */
function isSame(known: ConsumerConfig, config: Partial<ConsumerConfig>): boolean {
  const { filter_subject, ack_wait, max_ack_pending } = config;
  return (
    known.filter_subject === filter_subject &&
    known.ack_wait === ack_wait &&
    known.max_ack_pending === max_ack_pending
  );
}

/** The consumer of a state that the server has sent. */
export function consumerOf(connection: NatsConnection, info: ConsumerInfo): Consumer {
  return jetstream(connection).consumers.getConsumerFromInfo(info);
}

/** Returns the server's state of a consumer; null when it has none of this name, or not its stream. */
export async function findConsumer(
  manager: JetStreamManager,
  { stream, name }: Pick<ConsumerDefinition, 'stream' | 'name'>,
): Promise<ConsumerInfo | null> {
  try {
    return await manager.consumers.info(stream, name);
  } catch (error) {
    if (isApiFailure(error, 'consumerNotFound', 'streamNotFound')) return null;
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
