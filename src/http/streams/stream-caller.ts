import type { Principal } from '../access/authentication.ts';
import type { SocketSession } from './socket-session.ts';

/** Who opens a stream. */
export interface StreamCaller {
  /** Null without a key. */
  principal: Principal | null;
  /** What limits count: the id of the key, or the client address. */
  subject: string;
  /** The IPv6 /48 of the client; null for IPv4. */
  network: string | null;
  /** The request had an `Origin`, as those of browsers have. */
  isFromPage: boolean;
  lastEventId: string | null;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
  /** Authenticates a key that a message presents. Throws `invalid_api_key`, or `rate_limit_exceeded` after many guesses. */
  authenticate(key: string): Promise<Principal>;
  /** Counts topics that a message asks for against a subject. Throws `rate_limit_exceeded`. */
  drawTopics(subject: string, count: number): Promise<void>;
  /** Problem Details of a failure that a message has caused. Failures of the service are logged. */
  describe(error: unknown): object;
}

/** A stream that may be opened: everything is checked. */
export interface OpenableStream {
  /** Opens it as server-sent events. Throws `stream_limit_reached`. */
  toEvents(): ReadableStream<Uint8Array>;
  /** Opens it as a WebSocket. Throws `stream_limit_reached`. */
  toSocket(): SocketSession;
}
