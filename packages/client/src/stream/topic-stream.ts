import { ProblemError } from '../errors.ts';
import { pause } from '../pause.ts';
import type { Transport } from '../request.ts';
import {
  type EndMessage,
  type RefusedMessage,
  type StreamMessage,
  type StreamSignal,
  topicKinds,
} from './messages.ts';
import { delayAfter, delayOfEnd, type Position } from './position.ts';
import { SocketConnection, type SocketLike } from './socket-connection.ts';
import type { StreamOptions } from './stream.ts';
import { covers, coversTopic, mintOfTopic, type StreamTopic } from './topics.ts';

/** The messages of a loop over a stream with changing topics. */
export type TopicStreamMessage = StreamMessage | RefusedMessage;

/** A stream whose topics change while it is open. Leaving the loop closes it. */
export interface TopicStream<Message = TopicStreamMessage> extends AsyncIterable<Message> {
  /** The followed topics. */
  readonly topics: readonly string[];
  /**
   * Adds topics. Resolves about a second later, once they are followed through lost connections: every later message
   * of them comes. Rejects with the problem of a refusal; then nothing has changed.
   */
  subscribe(topics: readonly StreamTopic[]): Promise<void>;
  /** Removes topics. No message of them comes after it has resolved. */
  unsubscribe(topics: readonly StreamTopic[]): Promise<void>;
  /** Ends the loop. */
  close(): void;
}

export interface TopicStreamParameters {
  /** The first topics: up to 100, or none. */
  topics?: readonly StreamTopic[] | undefined;
  /** Continues these topics after the message with this `id`; good for at least 15 minutes. */
  cursor?: string | undefined;
}

type Any = TopicStreamMessage | StreamSignal;
interface Change {
  type: 'subscribe' | 'unsubscribe';
  topics: readonly string[];
  /** The first topics of the stream: their refusal ends it. */
  isFirst?: true;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The messages that may wait for the loop. Beyond them the connection is closed, and continued when the loop has read
 * them.
 */
const QUEUE_MAX = 5_000;

/** Follows topics over successive WebSockets, each of which continues the previous one. */
export class SocketStream implements TopicStream<Any> {
  readonly #transport: Transport;
  readonly #open: (url: string) => SocketLike;
  readonly #hasHeartbeats: boolean;
  readonly #position: Position;
  /** Topics that the cursor continues. */
  readonly #settled = new Set<string>();
  /** Topics that began on this connection, before the next cursor. */
  #begun: Change[] = [];
  /** Their first messages, passed on with the cursor, so that a connection that breaks before it repeats none. */
  #held: Any[] = [];
  /** Pending changes in order; the first is in progress while there is a connection. */
  #changes: Change[] = [];
  #queue: Any[] = [];
  #connection: SocketConnection | undefined;
  #hasOverflown = false;
  #endDelayMs: number | undefined;
  readonly #over = new AbortController();
  /** The error that the loop throws; undefined when it ends in order. */
  #failure: { error: unknown } | undefined;
  #wakeLoop: (() => void) | undefined;
  #wakeWork: (() => void) | undefined;
  readonly #messages: AsyncGenerator<Any, void, undefined>;

  constructor(
    transport: Transport,
    open: (url: string) => SocketLike,
    { topics = [], cursor }: TopicStreamParameters,
    { signal, heartbeats = false }: StreamOptions & { heartbeats?: boolean | undefined },
  ) {
    this.#transport = transport;
    this.#open = open;
    this.#hasHeartbeats = heartbeats;
    this.#position = { cursor, failures: 0, wasOpen: false, retryMs: 0 };
    if (cursor !== undefined) for (const topic of topics) this.#settled.add(topic);
    else if (topics.length > 0)
      this.#changes.push({ type: 'subscribe', topics, isFirst: true, resolve() {}, reject() {} });
    this.#messages = this.#read();
    const onAbort = () => this.#end({ error: signal?.reason });
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#over.signal.addEventListener('abort', () => signal?.removeEventListener('abort', onAbort));
    if (signal?.aborted) onAbort();
    else void this.#run();
  }

  [Symbol.asyncIterator](): AsyncGenerator<Any, void, undefined> {
    return this.#messages;
  }

  get topics(): readonly string[] {
    return [...this.#settled, ...this.#begun.flatMap(({ topics }) => topics)];
  }

  subscribe(topics: readonly string[]): Promise<void> {
    return this.#change('subscribe', topics);
  }

  unsubscribe(topics: readonly string[]): Promise<void> {
    return this.#change('unsubscribe', topics);
  }

  close(): void {
    this.#queue = [];
    this.#end(undefined);
  }

  #change(type: Change['type'], topics: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#over.signal.aborted) return reject(this.#endOfChanges());
      this.#changes.push({ type, topics: [...topics], resolve, reject });
      this.#wakeWork?.();
    });
  }

  async *#read(): AsyncGenerator<Any, void, undefined> {
    try {
      for (;;) {
        const message = this.#queue.shift();
        if (message !== undefined) yield message;
        else if (this.#failure !== undefined) throw this.#failure.error;
        else if (this.#over.signal.aborted) return;
        else {
          this.#wakeWork?.();
          await new Promise<void>((resolve) => {
            this.#wakeLoop = resolve;
          });
        }
      }
    } finally {
      this.close();
    }
  }

  /** Reconnects until the stream ends. Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#over;
    try {
      for (;;) {
        while (this.#hasOverflown && this.#queue.length > 0) await this.#somethingToDo();
        this.#hasOverflown = false;
        const delayMs = await this.#follow();
        await pause(delayMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#end({ error });
    }
  }

  /**
   * Keeps one connection until it ends. Returns the milliseconds until the next one may be opened; throws what ends the
   * stream.
   */
  async #follow(): Promise<number> {
    this.#endDelayMs = undefined;
    try {
      const url = `${this.#transport.baseUrl.replace(/^http/, 'ws')}/stream`;
      const connection = new SocketConnection(this.#open(url), {
        onMessage: (message) => this.#take(message),
        expectsMessages: () => this.#settled.size + this.#begun.length > 0,
      });
      this.#connection = connection;
      return await Promise.race([this.#talk(connection), connection.broken]);
    } catch (error) {
      this.#over.signal.throwIfAborted();
      if (this.#hasOverflown) return 0;
      return this.#endDelayMs ?? delayAfter(error, this.#position, this.#transport);
    } finally {
      this.#connection?.close();
      this.#connection = undefined;
      this.#takeBack();
    }
  }

  async #talk(connection: SocketConnection): Promise<never> {
    const { apiKey } = this.#transport;
    await connection.greeted();
    if (apiKey !== undefined) await connection.ask({ type: 'authenticate', key: apiKey }, () => {});
    await this.#resume(connection);
    for (;;) {
      const [change] = this.#changes;
      if (change === undefined) await this.#somethingToDo();
      else await this.#make(change, connection);
    }
  }

  /** Continues the topics after the cursor, without those that are now refused. */
  async #resume(connection: SocketConnection): Promise<void> {
    const { cursor } = this.#position;
    while (this.#settled.size > 0) {
      const topics = [...this.#settled];
      try {
        await connection.ask({ type: 'subscribe', topics, cursor }, () => this.#wasOpened(topics, true));
        return;
      } catch (error) {
        const refused = error instanceof ProblemError ? topicsOf(error, topics) : [];
        if (!(error instanceof ProblemError) || refused.length === 0) throw error;
        for (const topic of refused) this.#settled.delete(topic);
        this.#offer({ event: 'refused', topics: refused, problem: error.problem });
      }
    }
    this.#wasOpened([], false);
  }

  #wasOpened(topics: string[], resumed: boolean): void {
    const { retryMs } = this.#position;
    if (topics.length > 0) this.#position.wasOpen = true;
    if (this.#hasHeartbeats) this.#offer({ event: 'ready', topics, resumed, retryMs });
  }

  async #make(change: Change, connection: SocketConnection): Promise<void> {
    const { type, topics } = change;
    try {
      await connection.ask({ type, topics }, (changed) => {
        this.#changes.shift();
        if (type === 'unsubscribe') this.#forget([...topics, ...changed], change);
        else if (changed.length === 0 && this.#begun.length === 0) change.resolve();
        else this.#begun.push({ ...change, topics: changed });
        this.#position.wasOpen = true;
      });
    } catch (error) {
      // A refusal of the first topics ends the stream or is retried, as for any stream.
      if (!(error instanceof ProblemError) || change.isFirst === true) throw error;
      this.#changes.shift();
      change.reject(error);
    }
  }

  #forget(topics: readonly string[], change: Change): void {
    for (const topic of topics) this.#settled.delete(topic);
    this.#begun = this.#begun.map((begun) => ({
      ...begun,
      topics: begun.topics.filter((topic) => !topics.includes(topic)),
    }));
    const left = new Set(this.topics);
    const isFollowed = (message: Any) => !('topic' in message) || covers(left, message);
    this.#queue = this.#queue.filter(isFollowed);
    this.#held = this.#held.filter(isFollowed);
    change.resolve();
  }

  /** Changes that a lost connection left pending are made by the next one. */
  #takeBack(): void {
    for (const begun of this.#begun) if (begun.topics.length === 0) begun.resolve();
    this.#changes.unshift(...this.#begun.filter(({ topics }) => topics.length > 0));
    this.#begun = [];
    this.#held = [];
  }

  #take(message: StreamMessage | StreamSignal | EndMessage): void {
    const position = this.#position;
    if (message.event === 'ready') {
      position.retryMs = message.retryMs;
      return;
    }
    const id =
      message.event === 'end' ? (message.cursor ?? undefined) : 'id' in message ? message.id : undefined;
    if (id !== undefined) {
      position.cursor = id;
      position.failures = 0;
      this.#settle();
    }
    if (message.event === 'end') this.#endDelayMs = delayOfEnd(message);
    else if (message.event === 'heartbeat') this.#beat(message);
    else if (!topicKinds.has(message.event)) return;
    else if (id === undefined && 'topic' in message && this.#hasBegun(message.topic))
      this.#held.push(message);
    else this.#offer(message);
  }

  #hasBegun(topic: string): boolean {
    return this.#begun.some(({ topics }) => coversTopic(new Set(topics), topic));
  }

  /** A cursor has come after the beginning of the new topics, so it continues them too. */
  #settle(): void {
    if (this.#begun.length === 0) return;
    const [begun, held] = [this.#begun, this.#held];
    this.#begun = [];
    this.#held = [];
    for (const { topics } of begun) for (const topic of topics) this.#settled.add(topic);
    for (const message of held) this.#offer(message);
    for (const { resolve } of begun) resolve();
  }

  /** When several wait, only the newest is kept. */
  #beat(message: StreamSignal): void {
    if (!this.#hasHeartbeats) return;
    if (this.#queue.at(-1)?.event === 'heartbeat') this.#queue.pop();
    this.#offer(message);
  }

  #offer(message: Any): void {
    this.#queue.push(message);
    this.#wakeLoop?.();
    if (this.#queue.length < QUEUE_MAX || this.#connection === undefined) return;
    this.#hasOverflown = true;
    this.#connection.close();
  }

  /** Resolves when a change is pending or the loop has read everything; rejects when the stream has ended. */
  async #somethingToDo(): Promise<void> {
    this.#over.signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      this.#wakeWork = resolve;
    });
    this.#over.signal.throwIfAborted();
  }

  #end(failure: { error: unknown } | undefined): void {
    if (this.#over.signal.aborted) return;
    this.#failure = failure;
    this.#over.abort(new Error('the stream is over'));
    this.#connection?.close();
    for (const change of [...this.#begun, ...this.#changes]) change.reject(this.#endOfChanges());
    this.#changes = [];
    this.#begun = [];
    this.#wakeLoop?.();
    this.#wakeWork?.();
  }

  #endOfChanges(): unknown {
    return this.#failure === undefined ? new Error('the stream is closed') : this.#failure.error;
  }
}

/** Topics that a problem names. */
function topicsOf({ problem }: ProblemError, topics: readonly string[]): string[] {
  const mint = problem.context?.mintAddress;
  if (problem.code !== 'token_not_found' || typeof mint !== 'string') return [];
  return topics.filter((topic) => mintOfTopic(topic) === mint);
}
