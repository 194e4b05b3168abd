import { Problem } from '../../../shared/problem.ts';
import { channelsOf } from '../channels.ts';
import { type LogPosition, parseCursor } from '../cursor.ts';
import { readyMessage } from '../following/join.ts';
import { controlMessage, type StreamMessage } from '../messages/stream-message.ts';
import type { Streams } from '../streams.ts';
import { requireAccess } from '../topic-access.ts';
import { parseTopics, requireFewWallets, TOPICS_MAX, type Topic } from '../topics.ts';
import type { StreamHolder } from './open-streams.ts';
import type { EndReason, Sink, StreamReader } from './reader.ts';
import { checkRequest, parseObject, requestIdOf, type SocketRequest } from './socket-requests.ts';

/** Messages that a client may send in a minute. */
const MESSAGES_MAX = 60;
const MINUTE_MS = 60_000;
const MESSAGE_TOPICS = '/message/topics';
const POLICY_VIOLATION = 1008;

/** Close codes by reason (contract/streams#websocket-close). */
const closeCodes: Readonly<Record<EndReason, number>> = {
  draining: 1001,
  key_revoked: 1008,
  slow_reader: 1013,
  position_lost: 1013,
};

/** The connection of the server. */
interface Connection {
  send(texts: readonly string[]): boolean;
  close(code: number, reason: string): void;
}

interface KeyHolder {
  id: string;
  accountId: string;
  scopes: string[];
}

export interface StreamSocketOptions {
  streams: Streams;
  topics: Topic[];
  after: LogPosition | null;
  principal: KeyHolder | null;
  holder: StreamHolder;
  /** Opened by a web page: pages may not use a key (contract/streams#websocket-origin). */
  isFromPage: boolean;
  authenticate(key: string): Promise<KeyHolder>;
  /** Counts topics against a key or a client address. Throws `rate_limit_exceeded`. */
  drawTopics(subject: string, count: number): Promise<void>;
  describe(error: unknown): object;
  /** Throws `token_not_found` for a mint without a visible token. */
  requireTokens(topics: readonly Topic[]): Promise<void>;
}

/**
 * A stream over a WebSocket. The client changes its topics with messages, which are handled one after
 * another.
 */
export class StreamSocket {
  readonly #options: StreamSocketOptions;
  readonly #reader: StreamReader;
  readonly #receivedAtMs: number[] = [];
  #connection: Connection | null = null;
  #work: Promise<void> = Promise.resolve();
  /** Requested topics by text: followed already, or about to be. */
  readonly #asked = new Map<string, Topic>();

  /** Throws `stream_limit_reached`. */
  constructor(options: StreamSocketOptions) {
    this.#options = options;
    const { streams, holder, principal } = options;
    const sink: Sink = {
      send: (messages) => this.#connection?.send(messages.map(({ text }) => text)) ?? true,
      end: (reason, last) => this.#end(reason, last),
    };
    this.#reader = streams.open(holder, { sink, transport: 'websocket' });
    this.#identify(principal);
  }

  opened(connection: Connection): void {
    this.#connection = connection;
    const { topics, after } = this.#options;
    for (const topic of topics) this.#asked.set(topic.text, topic);
    if (topics.length === 0) this.#say(readyMessage([], false));
    else void this.#join(topics, after, (_cursor, isResumed) => readyMessage(topics, isResumed));
  }

  received(message: string | Uint8Array): void {
    const nowMs = performance.now();
    while ((this.#receivedAtMs[0] ?? nowMs) < nowMs - MINUTE_MS) this.#receivedAtMs.shift();
    this.#receivedAtMs.push(nowMs);
    const value = typeof message === 'string' ? parseObject(message) : null;
    if (this.#receivedAtMs.length > MESSAGES_MAX) this.#refuse('too_many_messages');
    else if (value === null) this.#refuse('not_a_json_object');
    else {
      const requestId = requestIdOf(value);
      this.#work = this.#work.then(() => this.#answer(value, requestId));
    }
  }

  drained(): void {
    this.#reader.onDrained();
  }

  closed(): void {
    this.#connection = null;
    this.#options.streams.close(this.#reader);
  }

  async #answer(value: Record<string, unknown>, requestId: string | null): Promise<void> {
    const given = requestId === null ? {} : { requestId };
    try {
      const request = checkRequest(value);
      if (this.#reader.isEnded) return;
      await this.#do(request, given);
    } catch (error) {
      const problem = this.#options.describe(error);
      this.#say(controlMessage('problem', { ...given, problem }));
      const isWrongKey =
        value.type === 'authenticate' && error instanceof Problem && error.code === 'invalid_api_key';
      if (isWrongKey) this.#refuse('invalid_api_key');
    }
  }

  async #do(request: SocketRequest, given: object): Promise<void> {
    switch (request.type) {
      case 'authenticate':
        return this.#authenticate(request.key, given);
      case 'subscribe':
        return this.#subscribe(request, given);
      case 'unsubscribe':
        return this.#unsubscribe(request.topics, given);
    }
  }

  async #authenticate(key: string, given: object): Promise<void> {
    if (this.#options.isFromPage)
      throw invalid('/message/type', 'is refused where the handshake had an Origin: pages may not use a key');
    if (this.#reader.owner !== null)
      throw invalid('/message/type', 'was sent already: a connection keeps its first key');
    const principal = await this.#options.authenticate(key);
    this.#options.streams.countUnderKey(this.#reader, principal.id);
    this.#identify(principal);
    // `events` includes those of the account from now on.
    for (const topic of this.#reader.topics.values())
      this.#options.streams.follower.listeners.listen(this.#reader, channelsOf(topic, principal));
    this.#say(controlMessage('authenticated', { ...given, scopes: principal.scopes }));
  }

  async #subscribe(
    { topics: texts, cursor }: { topics: readonly string[]; cursor?: string },
    given: object,
  ): Promise<void> {
    const topics = parseTopics(texts, MESSAGE_TOPICS).filter(({ text }) => !this.#asked.has(text));
    if (this.#asked.size + topics.length > TOPICS_MAX)
      throw invalid(MESSAGE_TOPICS, `would exceed ${TOPICS_MAX} topics of the connection`);
    requireFewWallets([...this.#asked.values(), ...topics], MESSAGE_TOPICS);
    if (cursor !== undefined && this.#asked.size > 0)
      throw invalid('/message/cursor', 'continues only a connection that has no topics yet');
    requireAccess(topics, this.#reader.owner);
    const after = cursor === undefined ? null : parseCursor(cursor);
    const { drawTopics, requireTokens, holder } = this.#options;
    if (topics.length > 0) await drawTopics(this.#reader.keyId ?? holder.subject, topics.length);
    await requireTokens(topics);
    for (const topic of topics) this.#asked.set(topic.text, topic);
    const subscribed = controlMessage('subscribed', { ...given, topics: topics.map(({ text }) => text) });
    if (topics.length === 0) this.#say(subscribed);
    else await this.#join(topics, after, () => subscribed);
  }

  async #unsubscribe(texts: readonly string[], given: object): Promise<void> {
    const topics = parseTopics(texts, MESSAGE_TOPICS).filter(({ text }) => this.#asked.has(text));
    for (const { text } of topics) this.#asked.delete(text);
    this.#options.streams.follower.listeners.drop(this.#reader, topics);
    this.#say(controlMessage('unsubscribed', { ...given, topics: topics.map(({ text }) => text) }));
  }

  /**
   * Resolves when the topics are followed, or the connection is gone: the next message of the client waits
   * for it.
   */
  #join(
    topics: readonly Topic[],
    after: LogPosition | null,
    greeting: (cursor: string | null, isResumed: boolean) => StreamMessage,
  ): Promise<void> {
    const joined = new Promise<void>((resolve) => {
      this.#options.streams.follower.join({
        reader: this.#reader,
        topics,
        after,
        greeting,
        onSettled: resolve,
      });
    });
    this.#work = this.#work.then(() => joined);
    return joined;
  }

  #say(message: StreamMessage): void {
    this.#reader.offer(message);
    this.#reader.flush();
  }

  #identify(principal: KeyHolder | null): void {
    this.#reader.owner = principal;
    this.#reader.keyId = principal?.id ?? null;
  }

  #end(reason: EndReason, last: StreamMessage | null): void {
    if (last !== null) this.#connection?.send([last.text]);
    this.#connection?.close(closeCodes[reason], reason);
  }

  /** Closes the connection of a client that breaks the rules. */
  #refuse(reason: string): void {
    this.#connection?.close(POLICY_VIOLATION, reason);
  }
}

function invalid(path: string, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ path, code: 'invalid_value', message }] });
}
