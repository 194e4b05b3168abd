import type { Consumer, ConsumerMessages } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { findConsumer } from './durable-consumers.ts';
import { lookUps } from './managers.ts';
import type { ConsumerDefinition } from './topology.ts';

/** A request for messages is repeated after two missed heartbeats; nothing else finds a new leader. */
const HEARTBEAT_MS = 500;
const PULL_EXPIRES_MS = 2_000;

/** The server has no such consumer any more: its stream was deleted, or the server has lost its store. */
export class ConsumerMissing extends Error {
  override readonly name = 'ConsumerMissing';
}

/**
 * Messages of a durable consumer. While it has no leader, or the broker is away, they pause, and go on within
 * a second of a new leader. The iteration throws `ConsumerMissing` when it has to be made again.
 *
 * The client's own recovery asks for the consumer first, for 5 s without a leader, and pauses between.
 */
export async function consume(
  connection: NatsConnection,
  consumer: Consumer,
  definition: Pick<ConsumerDefinition, 'stream' | 'name'>,
  maxMessages: number,
): Promise<ConsumerMessages> {
  const messages = await consumer.consume({
    max_messages: maxMessages,
    expires: PULL_EXPIRES_MS,
    idle_heartbeat: HEARTBEAT_MS,
    abort_on_missing_resource: true,
    bind: true,
  });
  void endWhenMissing(connection, messages, definition);
  return messages;
}

/** Asks the server only when it is silent or refuses a request; what it does not answer proves nothing. */
async function endWhenMissing(
  connection: NatsConnection,
  messages: ConsumerMessages,
  definition: Pick<ConsumerDefinition, 'stream' | 'name'>,
): Promise<void> {
  const manager = await lookUps(connection);
  let asking = false;
  for await (const { type } of messages.status()) {
    if (asking || (type !== 'heartbeats_missed' && type !== 'no_responders')) continue;
    asking = true;
    void findConsumer(manager, definition)
      .then((found) => {
        if (found === null)
          messages.stop(new ConsumerMissing(`the server has no consumer ${definition.name}`));
      })
      .catch(() => {})
      .finally(() => {
        asking = false;
      });
  }
}
