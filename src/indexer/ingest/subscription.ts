import { type ConsumerInfo, type ConsumerMessages, type JsMsg, jetstreamManager } from '@nats-io/jetstream';
import type { Transaction } from '../../db/client.ts';
import { consumers, INGEST_STREAM } from '../../shared/bus/topology.ts';
import { Wakeup } from '../../shared/loop.ts';
import { recordIngestPosition } from '../store/ingest-position.ts';
import {
  type ConsumerBefore,
  type OpenConsumerDependencies,
  type OpenedConsumer,
  openConsumer,
} from './open-consumer.ts';

/** Messages buffered, two batches; the stream sends more only as these are taken. */
const READY_MAX = 4_000;
// After a restart of the broker the client checks for its consumer this often; its default is 30 s.
const PULL_EXPIRES_MS = 2_000;
/** The position is recorded this often, and with every proof. */
const RECORD_MS = 1_000;
/** Messages that nobody has taken are delivered within milliseconds; a pull that was lost is repeated after 2 s. */
const SILENCE_MAX_MS = 6_000;
const TIMEOUT_MS = 2_000;

/** Messages wait in the stream, and the broker delivers none. */
export class SubscriptionSilent extends Error {
  override readonly name = 'SubscriptionSilent';
}

/** What was settled is not all in the database: it is an earlier state of the one that the messages were applied to. */
export class DatabaseWentBack extends Error {
  override readonly name = 'DatabaseWentBack';
}

/** A running subscription to the ingest stream, shared with the other workers on the same database. */
export interface IngestSubscription {
  readonly epoch: string;
  /** What is ready, at most `limit`; waits up to `idleMs` for a first message. Throws when the consumer is gone. */
  take(limit: number, idleMs: number, signal: AbortSignal): Promise<JsMsg[]>;
  /** Whether the position was not recorded for a second. */
  isRecordDue(): boolean;
  /**
   * Up to which message everything is acknowledged, whichever worker had it. Throws `SubscriptionSilent` when messages wait in the stream
   * and no worker gets any.
   */
  settledThrough(): Promise<number>;
  /**
   * Records that everything up to this message is in the database, and stores what depends on it in the same transaction. Throws
   * `DatabaseWentBack`, with nothing changed, where it is not: in another history of the database, or in an earlier state.
   */
  record(through: number, store: (transaction: Transaction) => Promise<void>): Promise<void>;
  /** Ends the subscription and returns untaken messages to the stream immediately. */
  close(): Promise<void>;
}

/** Subscribes, after creating the streams and the consumer where the broker does not have them (any more). */
export async function openIngestSubscription(
  dependencies: OpenConsumerDependencies,
  before: ConsumerBefore | null,
): Promise<IngestSubscription> {
  const opened = await openConsumer(dependencies, before);
  const messages = await opened.consumer.consume({
    max_messages: READY_MAX,
    expires: PULL_EXPIRES_MS,
    abort_on_missing_resource: true,
  });
  const { epoch } = opened.owner;
  return { epoch, ...receive(messages), ...positionOf(dependencies, opened) };
}

function receive(messages: ConsumerMessages) {
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
    async take(limit: number, idleMs: number, signal: AbortSignal): Promise<JsMsg[]> {
      if (ready.length === 0 && failure === null) await arrived.wait(idleMs, signal);
      if (ready.length === 0 && failure !== null && !signal.aborted) throw failure;
      const batch = ready.splice(0, limit);
      taken.wake();
      return batch;
    },
    async close(): Promise<void> {
      closing.abort();
      await messages.close();
      await pumped;
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
      const manager = await jetstreamManager(connection, { checkAPI: false, timeout: TIMEOUT_MS });
      const info = await manager.consumers.info(INGEST_STREAM, name);
      const silentMs = delivery.silentMs(info, performance.now());
      if (silentMs > SILENCE_MAX_MS)
        throw new SubscriptionSilent(`${info.num_pending} messages wait, and none comes`);
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

/** How long messages wait while the broker delivers none to any worker. */
export class DeliveryWatch {
  #delivered = -1;
  #sinceMs = 0;

  silentMs({ num_pending, num_ack_pending, delivered }: Delivery, nowMs: number): number {
    const isStanding =
      num_pending > 0 &&
      num_ack_pending < consumers.ingest.maxAckPending &&
      delivered.consumer_seq === this.#delivered;
    if (!isStanding) this.#sinceMs = nowMs;
    this.#delivered = delivered.consumer_seq;
    return nowMs - this.#sinceMs;
  }
}
