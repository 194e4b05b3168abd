import { connect, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { AttemptFailure, ClosedEarly, connectionFailure, errorCode } from './attempt-failure.ts';
import { type ResponseHead, ResponseParser } from './response-parser.ts';

export interface HttpResponse extends ResponseHead {
  /** The first 1 KiB, with content codings not decoded. */
  bodyStart: Uint8Array;
}

/** Filled in while a request runs, so that a failed request shows which phase it reached. Monotonic milliseconds. */
export interface Phases {
  address: string | null;
  startMs: number;
  connectedMs: number | null;
  securedMs: number | null;
  /** When the head of the final response was complete, or was cut off. */
  firstByteMs: number | null;
  /** The part that had arrived of a response that did not end in time; null before its status line. */
  unfinished: { status: number; bodyStart: Uint8Array } | null;
  reused: boolean;
}

export interface ConnectionOptions {
  address: string;
  port: number;
  /** Null for plain HTTP. */
  tls: {
    context: SecureContext;
    /** The name for SNI and certificate. Null if the URL has an address, which the certificate must then contain. */
    serverName: string | null;
    /** Session of an earlier connection. With a session, Node does not check the name again. */
    session: Buffer | undefined;
    /** Called with a session whose certificate and name were checked, or with null if `session` did not work. */
    onSession(session: Buffer | null): void;
  } | null;
}

interface Opening {
  phases: Phases;
  resolve(): void;
  reject(error: unknown): void;
}

interface Exchange {
  request: Buffer;
  parser: ResponseParser;
  body: BodyStart;
  phases: Phases;
  resolve(response: HttpResponse): void;
  reject(error: unknown): void;
}

/**
 * An HTTP/1.1 connection to one address, for one request at a time. The client of node:http needs 100 µs for a request,
 * and 260 with a new connection; this one needs 45 and 175 (decisions/0041). `ResponseParser` checks every piece of a
 * response.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #tls: ConnectionOptions['tls'];
  /** A session that was received before the certificate was checked. */
  #session: Buffer | null = null;
  #isReady = false;
  #isClosed = false;
  #opening: Opening | null = null;
  #exchange: Exchange | null = null;
  #onClose: (() => void) | null = null;

  constructor({ address: host, port, tls }: ConnectionOptions) {
    this.#tls = tls;
    this.#socket = tls === null ? connect({ host, port, noDelay: true }) : secure(host, port, tls);
    this.#socket.on('connect', () => this.#onConnect(tls === null));
    if (tls !== null) {
      this.#socket.on('secureConnect', () => this.#onSecure());
      this.#socket.on('session', (session: Buffer) => this.#onSession(session));
    }
    this.#socket.on('data', (bytes: Buffer) => this.#onData(bytes));
    this.#socket.on('end', () => this.#onLost(new ClosedEarly()));
    // Never removed, because a destroyed socket may emit another error later.
    this.#socket.on('error', (error) => this.#onLost(error));
    this.#socket.on('close', () => this.#onLost(new ClosedEarly()));
  }

  /** Called once, when the connection can no longer be used. */
  set onClose(callback: (() => void) | null) {
    this.#onClose = callback;
  }

  /** Whether another request may be sent. */
  get isIdle(): boolean {
    return !this.#isClosed && this.#exchange === null;
  }

  /** @param cause the error for the request that waits */
  destroy(cause: Error = new ClosedEarly()): void {
    this.#end(cause);
  }

  /** Resolves when the connection is made. To be called at most once, before `send`. */
  opened(phases: Phases): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (this.#isClosed) reject(new ClosedEarly());
    else this.#opening = { phases, resolve, reject };
    return promise;
  }

  /**
   * Sends a request, on a new connection as soon as it is made. Resolves when the response has ended, is longer than
   * the limit, or is cut off after its status line. Rejects with AttemptFailure, the error of the socket, or the reason
   * of the signal; the connection is closed then.
   */
  send(request: Buffer, phases: Phases, signal: AbortSignal): Promise<HttpResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
    const onAbort = () => this.#end(signal.reason);
    const stopListening = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    const body = new BodyStart();
    this.#exchange = {
      request,
      parser: new ResponseParser((bytes) => body.add(bytes)),
      body,
      phases,
      resolve(response) {
        stopListening();
        resolve(response);
      },
      reject(error) {
        stopListening();
        reject(error);
      },
    };
    if (signal.aborted) this.#end(signal.reason);
    else if (this.#isClosed) this.#end(new ClosedEarly());
    else if (this.#isReady) this.#socket.write(request);
    return promise;
  }

  /** The phases of the attempt that waits for the connection. */
  get #phases(): Phases | undefined {
    return (this.#opening ?? this.#exchange)?.phases;
  }

  #onConnect(isReady: boolean): void {
    const phases = this.#phases;
    if (phases !== undefined) phases.connectedMs = performance.now();
    if (isReady) this.#begin();
  }

  #onSecure(): void {
    const phases = this.#phases;
    if (phases !== undefined) phases.securedMs = performance.now();
    this.#begin();
    if (this.#session !== null) this.#tls?.onSession(this.#session);
  }

  #onSession(session: Buffer): void {
    this.#session = session;
    if (this.#isReady) this.#tls?.onSession(session);
  }

  #begin(): void {
    this.#isReady = true;
    this.#opening?.resolve();
    this.#opening = null;
    if (this.#exchange !== null) this.#socket.write(this.#exchange.request);
  }

  #onData(bytes: Buffer): void {
    const exchange = this.#exchange;
    // The bytes belong to no request.
    if (exchange === null) {
      this.destroy();
      return;
    }
    try {
      exchange.parser.push(bytes);
    } catch (error) {
      this.#end(error);
      return;
    }
    this.#settle(exchange);
  }

  /** The connection has ended, in order or not. The part of a response that has arrived counts. */
  #onLost(cause: unknown): void {
    const exchange = this.#exchange;
    if (exchange !== null && exchange.parser.status !== null) {
      exchange.parser.end();
      this.#settle(exchange);
    }
    this.#end(cause);
  }

  /** Ends the exchange when enough of its response has arrived. */
  #settle({ parser, body, phases, resolve }: Exchange): void {
    const { head, isEnded, isReusable } = parser;
    if (head === null) return;
    phases.firstByteMs ??= performance.now();
    if (!isEnded) return;
    this.#exchange = null;
    // After a response to a request that is not fully written, the state of the connection is unknown.
    if (!isReusable || this.#socket.writableLength > 0) this.destroy();
    resolve({ ...head, bodyStart: body.bytes() });
  }

  #end(error: unknown): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#socket.destroy();
      if (!this.#isReady) this.#tls?.onSession(null);
      this.#onClose?.();
    }
    this.#opening?.reject(error);
    this.#opening = null;
    if (exchange === null) return;
    const { parser, phases, body } = exchange;
    if (parser.status !== null) phases.unfinished = { status: parser.status, bodyStart: body.bytes() };
    exchange.reject(parser.isUntouched ? error : interrupted(error));
  }
}

function secure(host: string, port: number, tls: NonNullable<ConnectionOptions['tls']>): TLSSocket {
  const { context, serverName, session } = tls;
  return connectTls({
    host,
    port,
    secureContext: context,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch the check off.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    // Only for names, because SNI must not have an address (RFC 6066 section 3).
    ...(serverName === null ? {} : { servername: serverName }),
    ...(session === undefined ? {} : { session }),
  });
}

const TRUNCATED = { code: 'network_error', reason: 'response_truncated' } as const;

/** The error of a connection that ended in the middle of a response, after which the request is not sent again. */
function interrupted(error: unknown): unknown {
  return errorCode(error) === 'ECONNRESET'
    ? new AttemptFailure(TRUNCATED, 'the response was cut off')
    : connectionFailure(error);
}

/** Most bytes that are stored with the attempt. */
const KEPT_BYTES_MAX = 1024;
const EMPTY = new Uint8Array();

/** Keeps the first 1 KiB of the body of a response, without decoding any content coding. */
export class BodyStart {
  #kept: Uint8Array = EMPTY;

  add(bytes: Uint8Array): void {
    if (this.#kept.byteLength === KEPT_BYTES_MAX || bytes.byteLength === 0) return;
    const kept = bytes.subarray(0, KEPT_BYTES_MAX - this.#kept.byteLength);
    // Also the first piece is copied, so that the rest of its memory is not kept with it.
    const joined = new Uint8Array(this.#kept.byteLength + kept.byteLength);
    joined.set(this.#kept);
    joined.set(kept, this.#kept.byteLength);
    this.#kept = joined;
  }

  bytes(): Uint8Array {
    return this.#kept;
  }
}
