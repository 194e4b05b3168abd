import type { ConsumerInfo, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Transaction } from '../../db/client.ts';
import { consume } from '../../shared/bus/consume.ts';
import { lookUps } from '../../shared/bus/managers.ts';
import { consumers, INGEST_STREAM } from '../../shared/bus/topology.ts';
import { Wakeup } from '../../shared/loop.ts';
import { recordIngestPosition } from '../store/ingest-position.ts';
import {
  type ConsumerBefore,
  type OpenConsumerDependencies,
  type OpenedConsumer,
  openConsumer,
} from './open-consumer.ts';

/** The buffer holds two batches. The stream sends more only when the loop takes some of them. */
const READY_MAX = 4_000;
/** Time between two records of the position. Every proof records it too. */
const RECORD_MS = 1_000;
/** The broker delivers free messages within milliseconds, and a lost pull is repeated after 2 s. */
const SILENCE_MAX_MS = 6_000;

/** Messages wait in the stream, and the broker delivers none. */
export class SubscriptionSilent extends Error {
  override readonly name = 'SubscriptionSilent';
}

/** The database lacks settled messages: it is an earlier state of the one to which they were applied. */
export class DatabaseWentBack extends Error {
  override readonly name = 'DatabaseWentBack';
}

/** A running subscription to the ingest stream. All workers on the same database share its consumer. */
export interface IngestSubscription {
  readonly epoch: string;
  /** Takes at most `limit` ready messages. Waits up to `idleMs` for one. Throws when the consumer is gone. */
  take(limit: number, idleMs: number, signal: AbortSignal): Promise<JsMsg[]>;
  /** Whether the last record of the position is older than a second. */
  isRecordDue(): boolean;
  /**
   * The sequence number up to which all messages are acknowledged, by any worker. Throws `SubscriptionSilent`
   * when messages wait in the stream and no worker gets any.
   */
  settledThrough(): Promise<number>;
  /**
   * Records that everything up to this message is in the database, and calls `store` in the same transaction.
   * Throws `DatabaseWentBack`, and changes nothing, when the database is of another history or an earlier
   * state.
   */
  record(through: number, store: (transaction: Transaction) => Promise<void>): Promise<void>;
  /** Ends the subscription and returns untaken messages to the stream immediately. */
  close(): Promise<void>;
}

/** Subscribes. Creates the streams and the consumer first when the broker does not have them. */
export async function openIngestSubscription(
  dependencies: OpenConsumerDependencies,
  before: ConsumerBefore | null,
): Promise<IngestSubscription> {
  const opened = await openConsumer(dependencies, before);
  const definition = { stream: INGEST_STREAM, name: opened.name };
  const messages = await consume(dependencies.connection, opened.consumer, definition, READY_MAX);
  const { epoch } = opened.owner;
  return { epoch, ...receive(messages), ...positionOf(dependencies, opened) };
}

function receive(messages: ConsumerMessages) {
  const ready: JsMsg[] = [];
  const messageCame = new Wakeup();
  const roomMade = new Wakeup();
  const closing = new AbortController();
  let failure: unknown = null;

  async function pump(): Promise<void> {
    for await (const message of messages) {
      ready.push(message);
      messageCame.wake();
      while (ready.length >= READY_MAX && !closing.signal.aborted) await roomMade.wait(1_000, closing.signal);
    }
  }
  const pumping = pump()
    .then(() => new Error('the ingest subscription ended'))
    .catch((error: unknown) => error)
    .then((error) => {
      failure = error;
      messageCame.wake();
    });

  return {
    async take(limit: number, idleMs: number, signal: AbortSignal): Promise<JsMsg[]> {
      if (ready.length === 0 && failure === null) await messageCame.wait(idleMs, signal);
      if (ready.length === 0 && failure !== null && !signal.aborted) throw failure;
      const batch = ready.splice(0, limit);
      roomMade.wake();
      return batch;
    },
    async close(): Promise<void> {
      closing.abort();
      await messages.close();
      await pumping;
      for (const message of ready.splice(0)) message.nak();
    },
  };
}

function positionOf(
  { connection, db }: OpenConsumerDependencies,
  { name, owner, recordedAt }: OpenedConsumer,
) {
  const delivery = new DeliveryWatch();
  let dueSinceMs = Number.NEGATIVE_INFINITY;
  let since = recordedAt;
  return {
    isRecordDue: () => performance.now() - dueSinceMs >= RECORD_MS,
    async settledThrough(): Promise<number> {
      const manager = await lookUps(connection);
      const info = await manager.consumers.info(INGEST_STREAM, name);
      const silentMs = delivery.silentMs(info, performance.now());
      if (silentMs > SILENCE_MAX_MS)
        throw new SubscriptionSilent(`${info.num_pending} messages wait, but the broker delivers none`);
      return info.ack_floor.stream_seq;
    },
    async record(through: number, store: (transaction: Transaction) => Promise<void>): Promise<void> {
      since = await db.begin(async (transaction) => {
        const recorded = await recordIngestPosition(transaction, owner, { through: BigInt(through), since });
        if (recorded === null)
          throw new DatabaseWentBack(`the position of ${owner.epoch} is not in the database any more`);
        await store(transaction);
        return recorded;
      });
      dueSinceMs = performance.now();
    },
  };
}

type Delivery = Pick<ConsumerInfo, 'num_pending' | 'num_ack_pending' | 'delivered'>;

/** Measures how long messages wait while the broker delivers none to any worker. */
export class DeliveryWatch {
  #delivered = -1;
  #sinceMs = 0;

  silentMs({ num_pending, num_ack_pending, delivered }: Delivery, nowMs: number): number {
    const isStalled =
      num_pending > 0 &&
      num_ack_pending < consumers.ingest.maxAckPending &&
      delivered.consumer_seq === this.#delivered;
    if (!isStalled) this.#sinceMs = nowMs;
    this.#delivered = delivered.consumer_seq;
    return nowMs - this.#sinceMs;
  }
}
