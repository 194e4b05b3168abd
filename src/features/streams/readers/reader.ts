import type { Channel, StreamOwner } from '../channels.ts';
import type { LogPosition } from '../cursor.ts';
import type { StreamMessage } from '../messages/stream-message.ts';
import type { Topic } from '../topics.ts';

/** Why the service ends a stream (contract/streams#end). */
export type EndReason = 'draining' | 'slow_reader' | 'key_revoked' | 'position_lost';

/** A connection, as a stream sees it. */
export interface Sink {
  /**
   * Takes messages, at least one, always, and sends them together; false when the connection is full: `onDrained` of the
   * reader follows when it is not.
   */
  send(messages: readonly StreamMessage[]): boolean;
  /** Closes the connection, with a last message where one can still be sent. */
  end(reason: EndReason, last: StreamMessage | null): void;
}

export interface ReaderOptions {
  sink: Sink;
  transport: 'sse' | 'websocket';
  /** Of what waits for a connection that is full. */
  bufferBytes: number;
  /** A connection that is waited for, and takes what it was sent no sooner, is too slow. */
  stallMs: number;
  /** Called once, when there is no room for what may not be left out, or the connection is too slow. */
  onSlow(reader: StreamReader): void;
  onConflated(): void;
  /** Called once. @param reason null when the client has gone */
  onEnded(reader: StreamReader, reason: EndReason | null): void;
}

/** Bytes of messages that are sent together, about: what a connection is given before it can say that it is full. */
const TOGETHER_MAX = 64 * 1024;

/** Messages that newer states have replaced and that still have a place in the queue. */
const HOLES_MAX = 1_024;

/** An open stream: what it follows, and what waits to be sent. */
export class StreamReader {
  readonly transport: ReaderOptions['transport'];
  readonly #options: ReaderOptions;
  /** Null until a key is presented. */
  owner: StreamOwner | null = null;
  keyId: string | null = null;
  /** What it follows already, by text. */
  readonly topics = new Map<string, Topic>();
  readonly channels = new Set<Channel>();
  /** Everything up to here that fits its topics was handed to it; null before it has a place. */
  place: bigint | null = null;
  /** The place that it was opened with and continues from, until it has one here; null when there is none. */
  resumesAfter: LogPosition | null = null;
  /** While it reads what lies far back: what is new is not for it yet. */
  isCatchingUp = false;
  /** Heartbeats are sent in turns. */
  slice = 0;
  /** It had a heartbeat: the next one is numbered after it. */
  hasBeat = false;
  #queue: (StreamMessage | null)[] = [];
  #queuedStates = new Map<string, number>();
  #queuedBytes = 0;
  #holes = 0;
  #isFull = false;
  #isEnded = false;
  /** What was offered since the last flush. */
  #unsent: StreamMessage[] = [];
  #unsentSize = 0;
  #last: StreamMessage | null = null;
  #waiting: (() => void)[] = [];

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.transport = options.transport;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** What is offered now has to wait. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** How much is kept for a connection that does not take it. */
  get bufferBytes(): number {
    return this.#options.bufferBytes;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /**
   * Takes a message, which is sent at the next `flush`, or keeps it while the connection is full. The same message twice in
   * a row counts once. True when it is the first that waits for the flush.
   *
   * @param isBounded false for what a stream begins with: its amount is bounded already
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

  /** Sends what was offered, as one write. */
  flush(): void {
    if (this.#unsent.length === 0) return;
    const isTaken = this.#options.sink.send(this.#unsent);
    this.#unsent.length = 0;
    this.#unsentSize = 0;
    if (!isTaken) this.#isFull = true;
  }

  /** The connection can take more. */
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

  /** Resolves when nothing waits, or the stream has ended, as one that is too slow does. */
  async emptied(): Promise<void> {
    if (!this.#isFull || this.#isEnded) return;
    const { stallMs, onSlow } = this.#options;
    const timer = setTimeout(() => onSlow(this), stallMs);
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
    clearTimeout(timer);
  }

  /** What follows is not sent any more. @param reason null when the client has gone */
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
    // Holes would grow with time, although nothing else waits.
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
