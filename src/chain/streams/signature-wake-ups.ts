import type { Logger } from '../../shared/log.ts';
import type { PacedSlot } from '../head.ts';
import { type JudgedConnection, keepConnected, newStreamState, type StreamTimes } from './keep-connected.ts';
import { connectNodeSocket } from './node-socket.ts';
import { SignatureNode, type SignatureStreamState, SUBSCRIPTIONS_MAX } from './signature-node.ts';

/** Honest nodes report a confirmed block within this time of each other. */
const GRACE_MS = 1_000;
const CHECK_MS = 250;

export interface SignatureWakeUpsDependencies {
  /** WebSocket addresses of the nodes. */
  urls: readonly string[];
  /** The chain head that this process believes. Null while it believes none. */
  head(): PacedSlot | null;
  log: Logger;
  times?: StreamTimes;
}

/**
 * Reports when nodes announce transactions as confirmed, over one WebSocket per node. An announcement is only
 * a reason to look: a node names a signature once per connection, and the connection to a node that is wrong
 * again and again ends (decision 0032).
 */
export class SignatureWakeUps {
  readonly states: readonly SignatureStreamState[];
  readonly #dependencies: SignatureWakeUpsDependencies;
  /** In the order of `want`. */
  readonly #wanted = new Set<string>();
  /** Landed signatures, the oldest first, with the time by which every honest node has reported them. */
  readonly #landed = new Map<string, number>();
  readonly #nodes = new Set<SignatureNode>();
  #onNotification: (signature: string) => void = () => {};

  constructor(dependencies: SignatureWakeUpsDependencies) {
    this.#dependencies = dependencies;
    this.states = dependencies.urls.map((url) => ({
      ...newStreamState('websocket', new URL(url).host),
      subscriptions: 0,
      proven: 0,
      unproven: 0,
      missed: 0,
      refused: 0,
    }));
  }

  /** Signatures without a known landing, at most `SUBSCRIPTIONS_MAX`. */
  get wanted(): ReadonlySet<string> {
    return this.#wanted;
  }

  /**
   * Subscribes to a signature at every node. At the limit a landed signature is dropped. If none has landed,
   * the signature that has waited longest is dropped and returned: polls have had the most time to find it.
   */
  want(signature: string): string | null {
    if (this.#wanted.has(signature)) return null;
    const isFull = this.#wanted.size + this.#landed.size >= SUBSCRIPTIONS_MAX;
    const dropped = isFull ? this.#dropOne() : null;
    this.#landed.delete(signature);
    this.#wanted.add(signature);
    for (const node of this.#nodes) node.subscribe(signature);
    return dropped;
  }

  /** Ends the subscriptions to a signature. The nodes are not judged. */
  drop(signature: string): void {
    this.#wanted.delete(signature);
    this.#landed.delete(signature);
    for (const node of this.#nodes) node.drop(signature);
  }

  /**
   * The transaction has landed. Nodes that reported it were right, and the others get a moment to report it.
   */
  landed(signature: string): void {
    if (!this.#wanted.delete(signature)) return;
    this.#landed.set(signature, performance.now() + GRACE_MS);
    for (const node of this.#nodes) node.recordLanding(signature);
  }

  /** No node has the transaction, so nodes that reported it were wrong. The subscriptions stay. */
  unproven(signature: string): void {
    for (const node of this.#nodes) node.recordUnproven(signature);
  }

  /** Keeps a connection to every node until the signal aborts, then forgets all signatures. */
  async run(onNotification: (signature: string) => void, signal: AbortSignal): Promise<void> {
    const { urls, head, log, times } = this.#dependencies;
    this.#onNotification = onNotification;
    const events = { come: 'confirmation.wake_ups_come', lost: 'confirmation.wake_ups_lost' };
    const checking = setInterval(() => this.#judgeLanded(), CHECK_MS);
    try {
      await Promise.all(
        urls.map((url, at) => {
          const state = this.states[at];
          if (state === undefined) return Promise.resolve();
          const connect = (connection: JudgedConnection, until: AbortSignal) =>
            this.#connect(url, state, connection, until);
          return keepConnected({ state, connect, head, log, events, times }, signal);
        }),
      );
    } finally {
      clearInterval(checking);
      this.#onNotification = () => {};
      this.#wanted.clear();
      this.#landed.clear();
    }
  }

  async #connect(
    url: string,
    state: SignatureStreamState,
    connection: JudgedConnection,
    signal: AbortSignal,
  ): Promise<void> {
    let node: SignatureNode | null = null;
    const listener = {
      onOpen: (send: (message: object) => void) => {
        const opened: SignatureNode = new SignatureNode(send, {
          state,
          connection,
          onNotification: (signature) => this.#receiveNotification(opened, signature),
          wanted: () => [...this.#wanted].reverse(),
        });
        node = opened;
        this.#nodes.add(opened);
      },
      onMessage: (message: object) => node?.receive(message),
    };
    try {
      await connectNodeSocket(url, listener, signal);
    } finally {
      if (node !== null) this.#nodes.delete(node);
      state.subscriptions = 0;
    }
  }

  #receiveNotification(node: SignatureNode, signature: string): void {
    if (this.#wanted.has(signature)) this.#onNotification(signature);
    else node.recordLateNotification();
  }

  #judgeLanded(): void {
    const now = performance.now();
    for (const [signature, untilMs] of this.#landed) {
      if (untilMs > now) return;
      for (const node of this.#nodes) node.judgeOverdue(signature);
      this.#landed.delete(signature);
    }
  }

  /** Returns the dropped signature unless it has landed. */
  #dropOne(): string | null {
    const [landed] = this.#landed.keys();
    const [oldest] = this.#wanted;
    const dropped = landed ?? oldest;
    if (dropped !== undefined) this.drop(dropped);
    return landed === undefined ? (oldest ?? null) : null;
  }
}
