import type { Principal } from '../access/authentication.ts';
import type { SocketSession } from './socket-session.ts';

/** The client that opens a stream. */
export interface StreamCaller {
  /** Null without a key. */
  principal: Principal | null;
  /** The subject of limits: the id of the key, or the client address. */
  subject: string;
  /** The IPv6 /48 of the client; null for IPv4. */
  network: string | null;
  /** The request had an `Origin`, as requests of browsers do. */
  isFromPage: boolean;
  lastEventId: string | null;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Authenticates a key that a message presents. Throws `invalid_api_key`, or `rate_limit_exceeded` after many guesses. */
  authenticate(key: string): Promise<Principal>;
  /** Counts the topics of a message against the limit of a subject. Throws `rate_limit_exceeded`. */
  drawTopics(subject: string, count: number): Promise<void>;
  /** Returns the Problem Details of a failure in a message. Failures of the service are logged. */
  describe(error: unknown): object;
}

/** A stream that passed every check and may be opened. */
export interface OpenableStream {
  /** Opens it as server-sent events. Throws `stream_limit_reached`. */
  toEvents(): ReadableStream<Uint8Array>;
  /** Opens it as a WebSocket. Throws `stream_limit_reached`. */
  toSocket(): SocketSession;
}
