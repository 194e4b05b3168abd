import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '../../src/shared/bus/connect.ts';
import { readConsumer } from '../../src/shared/bus/durable-consumers.ts';
import { publishStored } from '../../src/shared/bus/publish.ts';
import { consumers, INGEST_STREAM, type IngestKind, ingestSubject } from '../../src/shared/bus/topology.ts';
import type { Logger } from '../../src/shared/log.ts';
import { wait } from '../../src/shared/loop.ts';

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 2_000;

/** Publishes facts to the ingest stream, as any feed of the product does (contract/ingest#stream). */
export class Feed {
  readonly #connection: NatsConnection;
  readonly #log: Logger;
  readonly #signal: AbortSignal;

  constructor(connection: NatsConnection, log: Logger, signal: AbortSignal) {
    this.#connection = connection;
    this.#log = log;
    this.#signal = signal;
  }

  /** Publishes until the stream has stored the message, also while the broker is away. Rejects only when the signal
   * aborts. Messages with the same `id` are stored once. */
  async publish(kind: IngestKind, message: object, id: string): Promise<void> {
    const payload = JSON.stringify(message);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
      this.#signal.throwIfAborted();
      try {
        await publishStored(jetstream(this.#connection), ingestSubject(kind), payload, { msgID: id });
        return;
      } catch (error) {
        this.#log.warn({ kind, reason: String(error), retryInMs: pauseMs }, 'feed.retry');
      }
      await wait(pauseMs, this.#signal);
    }
  }

  /** Sequence number of the newest message of the stream, by any publisher. */
  async lastSequence(): Promise<number> {
    const { streams } = await jetstreamManager(this.#connection);
    return (await streams.info(INGEST_STREAM)).state.last_seq;
  }

  /** Whether the worker has processed every message up to this sequence number. */
  async hasProcessed(sequence: number): Promise<boolean> {
    const manager = await jetstreamManager(this.#connection);
    const { ack_floor } = await readConsumer(manager, consumers.ingest);
    return ack_floor.stream_seq >= sequence;
  }
}
