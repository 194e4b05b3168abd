import { accountClient, type GateClient } from '../../../shared/gate.ts';
import type { Channel } from '../channel.ts';
import type { StreamOwner } from '../channels.ts';
import type { LogPosition } from '../cursor.ts';
import type { StreamMessage } from '../messages/stream-message.ts';
import type { Topic } from '../topics.ts';

/** Why the service ends a stream (contract/streams#end). */
export type EndReason = 'draining' | 'slow_reader' | 'key_revoked' | 'position_lost';

/** A connection, as a stream sees it. */
export interface Sink {
  /**
   * Takes at least one message and sends all it takes together. False when the connection is full:
   * `onDrained` of the reader is called when it can take more.
   */
  send(messages: readonly StreamMessage[]): boolean;
  /** Closes the connection, with a last message where one can still be sent. */
  end(reason: EndReason, last: StreamMessage | null): void;
}

export interface ReaderOptions {
  sink: Sink;
  transport: 'sse' | 'websocket';
  /** Subject of its limits while it has no key. */
  subject: string;
  /** Bytes that may wait for a full connection. */
  bufferBytes: number;
  /** A full connection that takes nothing for this long is too slow. */
  stallMs: number;
  /** Called once, when a message has no room in the buffer or the connection is too slow. */
  onSlow(reader: StreamReader): void;
  onConflated(): void;
  /**
   * Called once.
   * @param reason null when the client has gone
   */
  onEnded(reader: StreamReader, reason: EndReason | null): void;
}

/** Approximate bytes of messages in one write; only after it can a connection report that it is full. */
const TOGETHER_MAX = 64 * 1024;

/** Replaced messages that may keep an empty place in the queue. */
const HOLES_MAX = 1_024;

/** An open stream: the topics that it follows, and the messages that wait to be sent. */
export class StreamReader {
  readonly transport: ReaderOptions['transport'];
  readonly #options: ReaderOptions;
  /** Null until a key is presented. */
  owner: StreamOwner | null = null;
  keyId: string | null = null;
  /** The topics that it follows, by text. */
  readonly topics = new Map<string, Topic>();
  readonly channels = new Set<Channel>();
  /** Every message up to this id that fits its topics was handed to it; null before it has a position. */
  place: bigint | null = null;
  /** The cursor that it was opened with, until it has a position of its own; null if there is none. */
  resumesAfter: LogPosition | null = null;
  /** True while it reads old entries: it gets no new messages yet. */
  isCatchingUp = false;
  /** The turn in which it gets its heartbeats. */
  slice = 0;
  /** It had a heartbeat: the next one is numbered after it. */
  hasBeat = false;
  #queue: (StreamMessage | null)[] = [];
  #queuedStates = new Map<string, number>();
  #queuedBytes = 0;
  #holes = 0;
  #isFull = false;
  #isEnded = false;
  /** Messages that were offered since the last flush. */
  #unsent: StreamMessage[] = [];
  #unsentSize = 0;
  #last: StreamMessage | null = null;
  #waiting: (() => void)[] = [];

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.transport = options.transport;
  }

  /** Whose work its reads of the past are. */
  get client(): GateClient {
    return this.owner === null
      ? { name: this.#options.subject, isKeyed: false }
      : accountClient(this.owner.accountId);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The connection takes nothing now: new messages wait. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Bytes that may wait for the connection. */
  get bufferBytes(): number {
    return this.#options.bufferBytes;
  }

  /** Bytes that wait for the connection. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /**
   * Takes a message, which is sent at the next `flush`, or keeps it while the connection is full. The same
   * message twice in a row counts once. Returns true for the first message after a flush.
   * @param isBounded false for the first messages of a topic: their amount is bounded already
   */
  offer(message: StreamMessage, isBounded = true): boolean {
    if (this.#isEnded || message === this.#last) return false;
    this.#last = message;
    if (this.#isFull) {
      this.#keep(message);
      if (isBounded && this.#queuedBytes > this.#options.bufferBytes) this.#options.onSlow(this);
      return false;
    }
    this.#unsent.push(message);
    this.#unsentSize += message.size;
    const isFirst = this.#unsent.length === 1;
    if (this.#unsentSize >= TOGETHER_MAX) this.flush();
    return isFirst;
  }

  /** Sends the offered messages in one write. */
  flush(): void {
    if (this.#unsent.length === 0) return;
    const isTaken = this.#options.sink.send(this.#unsent);
    this.#unsent.length = 0;
    this.#unsentSize = 0;
    if (!isTaken) this.#isFull = true;
  }

  /** Called when the connection can take more. */
  onDrained(): void {
    this.#isFull = false;
    let sent = 0;
    while (!this.#isFull && sent < this.#queue.length) {
      const message = this.#queue[sent];
      sent += 1;
      if (message == null) continue;
      this.#queuedBytes -= message.size;
      this.#unsent.push(message);
      this.#unsentSize += message.size;
      if (this.#unsentSize >= TOGETHER_MAX) this.flush();
    }
    this.flush();
    this.#queue = this.#queue.slice(sent);
    this.#compact();
    if (!this.#isFull) this.#wakeWaiting();
  }

  /** Resolves when no message waits, or the stream has ended; a stream that is too slow ends. */
  async emptied(): Promise<void> {
    if (!this.#isFull || this.#isEnded) return;
    const { stallMs, onSlow } = this.#options;
    const timer = setTimeout(() => onSlow(this), stallMs);
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
    clearTimeout(timer);
  }

  /**
   * Ends the stream. Waiting messages are not sent.
   * @param reason null when the client has gone
   */
  end(reason: EndReason | null, last: StreamMessage | null = null): void {
    if (this.#isEnded) return;
    if (reason !== null) this.flush();
    this.#isEnded = true;
    this.#unsent = [];
    this.#queue = [];
    this.#queuedStates.clear();
    this.#queuedBytes = 0;
    this.#wakeWaiting();
    if (reason !== null) this.#options.sink.end(reason, this.#isFull ? null : last);
    this.#options.onEnded(this, reason);
  }

  #keep(message: StreamMessage): void {
    const { stateKey } = message;
    const older = stateKey === null ? undefined : this.#queuedStates.get(stateKey);
    if (older !== undefined) {
      this.#queuedBytes -= this.#queue[older]?.size ?? 0;
      this.#queue[older] = null;
      this.#options.onConflated();
      this.#holes += 1;
    }
    if (stateKey !== null) this.#queuedStates.set(stateKey, this.#queue.length);
    this.#queue.push(message);
    this.#queuedBytes += message.size;
    // Without this the empty places would grow with time, although few messages wait.
    if (this.#holes > HOLES_MAX && this.#holes > this.#queue.length / 2) this.#compact();
  }

  #compact(): void {
    this.#queue = this.#queue.filter((message) => message !== null);
    this.#holes = 0;
    this.#queuedStates = new Map(
      this.#queue.flatMap((message, at) =>
        message?.stateKey == null ? [] : [[message.stateKey, at] as const],
      ),
    );
  }

  #wakeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
