import type { JudgedConnection, StreamState } from './keep-connected.ts';
import { SignatureSubscriptions } from './signature-subscriptions.ts';

/** Subscriptions on one connection. Hosted nodes take 50 to 1,000, and each refusal lowers the number. */
export const SUBSCRIPTIONS_MAX = 1_000;
/** The connection to a node ends after this many wrong or missing notifications in a row. */
const WRONG_MAX = 8;

/** The state of one node's stream, for metrics. */
export interface SignatureStreamState extends StreamState {
  /** Subscriptions that the node has acknowledged or will acknowledge. */
  subscriptions: number;
  /** Notifications of transactions that had landed, as the nodes confirmed on request. */
  proven: number;
  /** Notifications of transactions that no node knew. */
  unproven: number;
  /** Transactions that landed without a notification, although the node was subscribed to them. */
  missed: number;
  /** Subscriptions that the node refused. */
  refused: number;
}

export interface SignatureNodeDependencies {
  state: SignatureStreamState;
  connection: JudgedConnection;
  /** Called once for each signature that the node reports as confirmed. */
  onNotification(signature: string): void;
  /** The wanted signatures, the most urgent first. */
  wanted(): Iterable<string>;
}

/** One node during one connection: its subscriptions, and how often it was wrong. */
export class SignatureNode {
  readonly #dependencies: SignatureNodeDependencies;
  readonly #subscriptions: SignatureSubscriptions;
  /** Signatures that the node has reported, while they matter. They are not subscribed to again. */
  readonly #reported = new Set<string>();
  #capacity = SUBSCRIPTIONS_MAX;
  #unprovenInRow = 0;
  #missedInRow = 0;

  constructor(send: (message: object) => void, dependencies: SignatureNodeDependencies) {
    this.#dependencies = dependencies;
    const { connection } = dependencies;
    this.#subscriptions = new SignatureSubscriptions(send, {
      onSlot: (slot) => connection.onSlot(slot),
      onNotification: (signature, slot) => this.#receiveNotification(signature, slot),
      onRefusal: () => this.#lowerCapacity(),
      onUnanswered: () => connection.leave('silent'),
    });
    for (const signature of dependencies.wanted()) this.subscribe(signature);
  }

  /** Throws an error that ends the connection. */
  receive(message: object): void {
    this.#subscriptions.receive(message);
    this.#updateCount();
  }

  /** Does nothing while the node takes no more subscriptions. */
  subscribe(signature: string): void {
    if (this.#subscriptions.count >= this.#capacity || this.#reported.has(signature)) return;
    this.#subscriptions.subscribe(signature);
    this.#updateCount();
  }

  drop(signature: string): void {
    this.#reported.delete(signature);
    this.#subscriptions.unsubscribe(signature);
    this.#fill();
  }

  /** The transaction has landed. A node that has not reported it may still do so, unless its capacity is low. */
  recordLanding(signature: string): void {
    if (this.#reported.has(signature)) this.#recordRight();
    else if (this.#capacity < SUBSCRIPTIONS_MAX) this.drop(signature);
  }

  /** Called when the node should have reported the landing. */
  judgeOverdue(signature: string): void {
    if (this.#subscriptions.isAwaited(signature)) {
      this.#dependencies.state.missed += 1;
      this.#missedInRow += 1;
      if (this.#missedInRow >= WRONG_MAX) this.#dependencies.connection.leave('silent');
    }
    this.drop(signature);
  }

  /** Called when no node has the transaction. */
  recordUnproven(signature: string): void {
    if (!this.#reported.has(signature)) return;
    this.#dependencies.state.unproven += 1;
    this.#unprovenInRow += 1;
    if (this.#unprovenInRow >= WRONG_MAX) this.#dependencies.connection.leave('lying');
  }

  /** Called when the node's notification arrived after another source had reported the landing. */
  recordLateNotification(): void {
    this.#recordRight();
  }

  #recordRight(): void {
    this.#dependencies.state.proven += 1;
    this.#unprovenInRow = 0;
    this.#missedInRow = 0;
  }

  #receiveNotification(signature: string, slot: bigint): void {
    if (!this.#dependencies.connection.take(slot)) return;
    this.#reported.add(signature);
    this.#fill();
    this.#dependencies.onNotification(signature);
  }

  #lowerCapacity(): void {
    this.#dependencies.state.refused += 1;
    this.#capacity = this.#subscriptions.count;
    if (this.#capacity === 0) throw new Error('the node refuses subscriptions of signatures');
  }

  /** Subscribes to another signature if the node takes one more. At the full capacity no signature waits. */
  #fill(): void {
    if (this.#capacity < SUBSCRIPTIONS_MAX && this.#subscriptions.count < this.#capacity) {
      for (const signature of this.#dependencies.wanted()) {
        if (this.#subscriptions.has(signature) || this.#reported.has(signature)) continue;
        this.subscribe(signature);
        break;
      }
    }
    this.#updateCount();
  }

  #updateCount(): void {
    this.#dependencies.state.subscriptions = this.#subscriptions.count;
  }
}
