import type { JudgedConnection, StreamState } from './keep-connected.ts';
import { SignatureSubscriptions } from './signature-subscriptions.ts';

/** Subscriptions on one connection. Hosted nodes take 50 to 1,000, and each refusal lowers the number. */
export const SUBSCRIPTIONS_MAX = 1_000;
/** A node that is wrong or silent this many times in a row is left. */
const WRONG_MAX = 8;

/** The state of one node's stream, for metrics. */
export interface SignatureStreamState extends StreamState {
  /** Subscriptions that the node has acknowledged or will acknowledge. */
  subscriptions: number;
  /** Notifications of transactions that had landed, as the nodes confirmed when asked. */
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
  readonly #heard = new Set<string>();
  #places = SUBSCRIPTIONS_MAX;
  #unprovenInRow = 0;
  #missedInRow = 0;

  constructor(send: (message: object) => void, dependencies: SignatureNodeDependencies) {
    this.#dependencies = dependencies;
    const { connection } = dependencies;
    this.#subscriptions = new SignatureSubscriptions(send, {
      onSlot: (slot) => connection.onSlot(slot),
      onNotification: (signature, slot) => this.#hear(signature, slot),
      onRefusal: () => this.#learnPlaces(),
      onUnanswered: () => connection.leave('silent'),
    });
    for (const signature of dependencies.wanted()) this.subscribe(signature);
  }

  /** Throws an error that ends the connection. */
  receive(message: object): void {
    this.#subscriptions.receive(message);
    this.#showCount();
  }

  /** Does nothing while the node has no free place. */
  subscribe(signature: string): void {
    if (this.#subscriptions.count >= this.#places || this.#heard.has(signature)) return;
    this.#subscriptions.subscribe(signature);
    this.#showCount();
  }

  drop(signature: string): void {
    this.#heard.delete(signature);
    this.#subscriptions.unsubscribe(signature);
    this.#fill();
  }

  /** The transaction has landed. A node that has not reported it may still do so, if it has places enough. */
  landed(signature: string): void {
    if (this.#heard.has(signature)) this.#wasRight();
    else if (this.#places < SUBSCRIPTIONS_MAX) this.drop(signature);
  }

  /** The transaction landed so long ago that the node should have reported it. */
  overdue(signature: string): void {
    if (this.#subscriptions.isAwaited(signature)) {
      this.#dependencies.state.missed += 1;
      this.#missedInRow += 1;
      if (this.#missedInRow >= WRONG_MAX) this.#dependencies.connection.leave('silent');
    }
    this.drop(signature);
  }

  /** No node has the transaction. */
  unproven(signature: string): void {
    if (!this.#heard.has(signature)) return;
    this.#dependencies.state.unproven += 1;
    this.#unprovenInRow += 1;
    if (this.#unprovenInRow >= WRONG_MAX) this.#dependencies.connection.leave('lying');
  }

  /** A notification arrived after another source had shown the landing. */
  confirmsLanding(): void {
    this.#wasRight();
  }

  #wasRight(): void {
    this.#dependencies.state.proven += 1;
    this.#unprovenInRow = 0;
    this.#missedInRow = 0;
  }

  #hear(signature: string, slot: bigint): void {
    if (!this.#dependencies.connection.take(slot)) return;
    this.#heard.add(signature);
    this.#fill();
    this.#dependencies.onNotification(signature);
  }

  #learnPlaces(): void {
    this.#dependencies.state.refused += 1;
    this.#places = this.#subscriptions.count;
    if (this.#places === 0) throw new Error('the node refuses subscriptions of signatures');
  }

  /** Gives a free place to another signature. While there are places for all, no signature waits. */
  #fill(): void {
    if (this.#places < SUBSCRIPTIONS_MAX && this.#subscriptions.count < this.#places) {
      for (const signature of this.#dependencies.wanted()) {
        if (this.#subscriptions.has(signature) || this.#heard.has(signature)) continue;
        this.subscribe(signature);
        break;
      }
    }
    this.#showCount();
  }

  #showCount(): void {
    this.#dependencies.state.subscriptions = this.#subscriptions.count;
  }
}
