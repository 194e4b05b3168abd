import type { NatsConnection } from '@nats-io/transport-node';
import { connectBeside } from '../shared/bus/connect.ts';
import { busFailure } from '../shared/bus/failure.ts';
import { serverOf } from '../shared/bus/log-connection.ts';
import { lookUps } from '../shared/bus/managers.ts';
import { type StoreFault, storeFaults } from '../shared/bus/store-faults.ts';
import { findStream, streamNames } from '../shared/bus/streams.ts';
import type { Logger } from '../shared/log.ts';

/** Batches without any acknowledgement after which the server counts as one that stores nothing. */
const BATCHES_UNACKNOWLEDGED = 2;

/**
 * Notices a single server that answers, but does not do its work with streams, and says so once until it does.
 * In a cluster a stream without a leader looks the same, and its nodes mend that by themselves.
 */
export class StoreWatch {
  readonly #connection: NatsConnection;
  readonly #log: Logger;
  #fault: StoreFault | null = null;
  #unacknowledged = 0;

  constructor(connection: NatsConnection, log: Logger) {
    this.#connection = connection;
    this.#log = log;
  }

  /**
   * After requests for streams without an answer: asks over a new connection, because nats-server 2.9 stops
   * reading the connection of whoever publishes to a full disk. Connects anew when only the old one is stuck.
   */
  async onSilence(): Promise<void> {
    if (this.#isCluster()) return;
    const beside = await connectBeside(this.#connection).catch(() => null);
    // Not even a connection: the loss of the server is logged by the connection itself.
    if (beside === null) return;
    try {
      const isThere = await beside.rtt().then(
        () => true,
        () => false,
      );
      if (!isThere) return;
      if (!(await answersForAStream(beside))) return this.#report('silent');
      // A busy server may only have been slow.
      if (await answersForAStream(this.#connection)) return;
      this.#log.warn(this.#server(), 'bus.connection_stuck');
      await this.#connection.reconnect();
    } finally {
      await beside.close();
    }
  }

  /** After a batch of which the server, which still answers for the stream, has acknowledged nothing. */
  onUnacknowledged(): void {
    this.#unacknowledged += 1;
    if (this.#unacknowledged >= BATCHES_UNACKNOWLEDGED && !this.#isCluster()) this.#report('stores_nothing');
  }

  /** After an answer or an acknowledgement. */
  onAnswer(): void {
    this.#unacknowledged = 0;
    if (this.#fault !== null)
      this.#log.info({ ...this.#server(), fault: this.#fault }, 'bus.store_recovered');
    this.#fault = null;
  }

  #report(fault: StoreFault): void {
    if (this.#fault !== fault)
      this.#log.error({ ...this.#server(), fault, remedy: storeFaults[fault] }, 'bus.store_failed');
    this.#fault = fault;
  }

  #isCluster(): boolean {
    return this.#connection.info?.cluster !== undefined;
  }

  #server() {
    return serverOf(this.#connection, this.#connection.getServer());
  }
}

async function answersForAStream(connection: NatsConnection): Promise<boolean> {
  const manager = await lookUps(connection);
  const answers = await Promise.all(
    streamNames.map((name) =>
      findStream(manager, name).then(
        () => true,
        (error: unknown) => busFailure(error) !== 'silent',
      ),
    ),
  );
  return answers.includes(true);
}
