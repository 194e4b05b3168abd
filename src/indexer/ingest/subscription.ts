import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ensureConsumer, ensureStreams } from '../../shared/bus/streams.ts';
import { consumers } from '../../shared/bus/topology.ts';
import { Wakeup } from '../../shared/loop.ts';

/** Messages buffered, two batches; the stream sends more only as these are taken. */
const READY_MAX = 4_000;
// After a restart of the broker the client checks for its consumer this often; its default is 30 s.
const PULL_EXPIRES_MS = 2_000;

/** A running subscription to the ingest stream, shared with the other workers. */
export interface IngestSubscription {
  /** What is ready, at most `limit`; waits up to `idleMs` for a first message. Throws when the consumer is gone. */
  take(limit: number, idleMs: number, signal: AbortSignal): Promise<JsMsg[]>;
  /** Ends the subscription and returns untaken messages to the stream immediately. */
  close(): Promise<void>;
}

/** Subscribes, after creating the streams and the consumer where the broker does not have them (any more). */
export async function openIngestSubscription(connection: NatsConnection): Promise<IngestSubscription> {
  await ensureStreams(connection);
  const consumer = await ensureConsumer(connection, consumers.ingest);
  const messages = await consumer.consume({
    max_messages: READY_MAX,
    expires: PULL_EXPIRES_MS,
    abort_on_missing_resource: true,
  });
  return readFrom(messages);
}

function readFrom(messages: ConsumerMessages): IngestSubscription {
  const ready: JsMsg[] = [];
  const arrived = new Wakeup();
  const taken = new Wakeup();
  const closing = new AbortController();
  let failure: unknown = null;

  async function pump(): Promise<void> {
    for await (const message of messages) {
      ready.push(message);
      arrived.wake();
      while (ready.length >= READY_MAX && !closing.signal.aborted) await taken.wait(1_000, closing.signal);
    }
  }
  const pumped = pump()
    .then(() => new Error('the ingest subscription ended'))
    .catch((error: unknown) => error)
    .then((error) => {
      failure = error;
      arrived.wake();
    });

  return {
    async take(limit, idleMs, signal) {
      if (ready.length === 0 && failure === null) await arrived.wait(idleMs, signal);
      if (ready.length === 0 && failure !== null && !signal.aborted) throw failure;
      const batch = ready.splice(0, limit);
      taken.wake();
      return batch;
    },
    async close() {
      closing.abort();
      await messages.close();
      await pumped;
      for (const message of ready.splice(0)) message.nak();
    },
  };
}
