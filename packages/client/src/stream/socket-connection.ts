import { ConnectionError, ProblemError } from '../errors.ts';
import type { Schemas } from '../operations.ts';
import { pause } from '../pause.ts';
import type { EndMessage, StreamMessage, StreamSignal } from './messages.ts';

/** The used part of a WebSocket, which browsers, Node 22, Bun, Deno and the package `ws` have. */
export interface SocketLike {
  // biome-ignore lint/suspicious/noExplicitAny: the events of each runtime have types of their own
  addEventListener(type: 'message' | 'close' | 'error', listener: (event: any) => void): void;
  send(text: string): void;
  close(): void;
}

/** Messages of a client (contract/streams#websocket). */
export type SocketRequest =
  | { type: 'authenticate'; key: string }
  | { type: 'subscribe'; topics: readonly string[]; cursor?: string | undefined }
  | { type: 'unsubscribe'; topics: readonly string[] };

interface Reply {
  event: 'authenticated' | 'subscribed' | 'unsubscribed';
  requestId?: string;
  topics?: string[];
}
interface Refusal {
  event: 'problem';
  requestId?: string;
  problem: Schemas['Problem'];
}
type Incoming = StreamMessage | StreamSignal | EndMessage;

const TICK_MS = 1_000;
/** A heartbeat comes every second. By the contract, five seconds without one end a connection. */
const QUIET_TICKS_MAX = 10;
const OPENING_TICKS_MAX = 30;
/** The service ends a connection that sends more than 60 messages in a minute. */
const REQUESTS_MAX = 50;
const MINUTE_MS = 60_000;

/** Milliseconds until one more message may be sent, from the times of earlier messages. */
export function delayOfRequest(sentAtMs: readonly number[], nowMs: number): number {
  const oldest = sentAtMs.at(-REQUESTS_MAX);
  return oldest === undefined ? 0 : Math.max(0, oldest + MINUTE_MS - nowMs);
}

export interface SocketHandlers {
  /** Called with every message that is no reply. */
  onMessage(message: Incoming): void;
  /** True while messages must come: heartbeats begin with the first topic. */
  expectsMessages(): boolean;
}

/** One WebSocket: requests with their replies, and the messages between them. */
export class SocketConnection {
  /** Rejects when the connection is lost, falls silent or is closed. */
  readonly broken: Promise<never>;
  readonly #socket: SocketLike;
  readonly #handlers: SocketHandlers;
  readonly #asked = new Map<string, { onReply(reply: Reply): void; onRefusal(error: ProblemError): void }>();
  readonly #sentAtMs: number[] = [];
  #greeted: (() => void) | undefined;
  #isGreeted = false;
  #lose: ((error: Error) => void) | undefined;
  readonly #over = new AbortController();
  readonly #ticks: ReturnType<typeof setInterval>;
  #quietTicks = 0;
  #requests = 0;

  constructor(socket: SocketLike, handlers: SocketHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.broken = new Promise<never>((_, reject) => {
      this.#lose = reject;
    });
    this.broken.catch(() => undefined);
    socket.addEventListener('message', ({ data }: { data: unknown }) => this.#receive(String(data)));
    socket.addEventListener('error', () => this.#break('the WebSocket failed'));
    socket.addEventListener('close', ({ code, reason }: { code?: number; reason?: string }) =>
      this.#break(`the WebSocket was closed: ${code}${reason ? ` ${reason}` : ''}`),
    );
    this.#ticks = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Resolves with the first message of the service. */
  greeted(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isGreeted) resolve();
      else this.#greeted = resolve;
    });
  }

  /**
   * Sends a request. `onReply` is called with the reply before any message that follows it. Rejects with the problem of
   * a refusal; when the connection breaks, `broken` rejects instead.
   */
  async ask(request: SocketRequest, onReply: (topics: readonly string[]) => void): Promise<void> {
    await pause(delayOfRequest(this.#sentAtMs, performance.now()), this.#over.signal);
    this.#requests += 1;
    const requestId = String(this.#requests);
    this.#sentAtMs.push(performance.now());
    if (this.#sentAtMs.length > REQUESTS_MAX) this.#sentAtMs.shift();
    this.#quietTicks = 0;
    await new Promise<void>((resolve, reject) => {
      this.#asked.set(requestId, {
        onReply({ topics = [] }) {
          onReply(topics);
          resolve();
        },
        onRefusal: reject,
      });
      this.#socket.send(JSON.stringify({ ...request, requestId }));
    });
  }

  /** No more messages come. */
  close(): void {
    this.#end(new ConnectionError('connection_failed', 'the stream was closed'));
  }

  #receive(text: string): void {
    if (this.#over.signal.aborted) return;
    this.#quietTicks = 0;
    try {
      this.#dispatch(JSON.parse(text) as Incoming | Reply | Refusal);
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #dispatch(message: Incoming | Reply | Refusal): void {
    switch (message.event) {
      case 'authenticated':
      case 'subscribed':
      case 'unsubscribed':
        this.#answered(message.requestId)?.onReply(message);
        return;
      case 'problem': {
        const error = new ProblemError('openStream', message.problem, undefined);
        const request = this.#answered(message.requestId);
        if (request === undefined) throw error;
        request.onRefusal(error);
        return;
      }
      case 'ready':
        this.#isGreeted = true;
        this.#greeted?.();
        this.#handlers.onMessage(message);
        return;
      default:
        this.#handlers.onMessage(message);
    }
  }

  #answered(requestId = '') {
    const request = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    return request;
  }

  /** Counts ticks, not time, so that a program that is busy for a minute does not take its stream for silent. */
  #tick(): void {
    const isExpected = !this.#isGreeted || this.#asked.size > 0 || this.#handlers.expectsMessages();
    this.#quietTicks = isExpected ? this.#quietTicks + 1 : 0;
    if (this.#quietTicks > (this.#isGreeted ? QUIET_TICKS_MAX : OPENING_TICKS_MAX))
      this.#end(new ConnectionError('timeout', 'the stream is silent'));
  }

  #break(what: string): void {
    this.#end(new ConnectionError('connection_failed', what));
  }

  #end(error: Error): void {
    if (this.#over.signal.aborted) return;
    clearInterval(this.#ticks);
    this.#over.abort(error);
    this.#lose?.(error);
    this.#socket.close();
  }
}
