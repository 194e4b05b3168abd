import { createSecureContext, type SecureContext } from 'node:tls';
import { BoundedMap } from '../../src/shared/bounded-map.ts';
import type { Destination } from '../../src/shared/webhooks/resolve.ts';
import { HttpConnection } from './http-connection.ts';
import {
  type ConnectionOwner,
  IdleConnections,
  type IdleLimits,
  idleConnectionsMax,
} from './idle-connections.ts';

/** Shorter than the keep-alive of nginx (75 s). Node's is shorter (5 s), so post-to-address.ts tries again. */
const IDLE_MS = 15_000;
const SWEEP_MS = 1_000;
/** Most remembered TLS sessions, of some 750 bytes each. At least half of them are kept. */
const SESSIONS_MAX = 4_096;

/** A connection that belongs to one attempt. */
export interface TakenConnection {
  connection: HttpConnection;
  /** To be called when the response has ended: the connection is free for another attempt. */
  release(): void;
}

/**
 * Keep-alive connections, pooled per endpoint: no endpoint waits for or reuses a connection of another one. Connections
 * go to checked addresses, never to names. An idle one is found by address, name and port. So a changed DNS response is
 * checked again and leads to a new connection.
 */
export class ConnectionPool {
  readonly #certificateAuthorities: string[] | undefined;
  readonly #idle: IdleConnections;
  readonly #sessions = new BoundedMap<string, Buffer>(SESSIONS_MAX);
  readonly #timer: ReturnType<typeof setInterval>;
  #context: SecureContext | undefined;
  #isClosed = false;

  /**
   * @param perEndpoint attempts in flight to one endpoint, each of which may leave a connection for the next
   * @param certificateAuthorities PEM texts to trust instead of the default ones
   */
  constructor(
    perEndpoint: number,
    certificateAuthorities: string[] | undefined,
    limits: Partial<IdleLimits> = {},
  ) {
    this.#certificateAuthorities = certificateAuthorities;
    this.#idle = new IdleConnections({
      perEndpoint,
      total: idleConnectionsMax(),
      idleMs: IDLE_MS,
      ...limits,
    });
    this.#timer = setInterval(() => this.#idle.endOlder(performance.now()), SWEEP_MS);
    this.#timer.unref();
  }

  /** Connections that wait for another attempt. */
  get idle(): number {
    return this.#idle.size;
  }

  /** An idle connection of the endpoint to any of the checked addresses of the destination. */
  takeIdle(
    endpointId: string,
    destination: Destination,
  ): (TakenConnection & { address: string }) | undefined {
    for (const address of destination.addresses) {
      const key = keyOf(destination, address);
      const connection = this.#idle.take(endpointId, key);
      if (connection !== undefined)
        return { connection, address, release: () => this.#release(connection, { endpointId, key }) };
    }
    return undefined;
  }

  /**
   * Opens a connection to one of the destination's checked addresses.
   *
   * @param isRedirect the connection of a redirect is not kept, because it may lead to another destination every time
   */
  open(endpointId: string, destination: Destination, address: string, isRedirect: boolean): TakenConnection {
    const key = keyOf(destination, address);
    const connection = this.#open(destination, address, `${endpointId} ${key}`);
    return {
      connection,
      release: () => this.#release(connection, isRedirect ? null : { endpointId, key }),
    };
  }

  /** @param owner the endpoint whose next attempt may use the connection; null closes it */
  #release(connection: HttpConnection, owner: ConnectionOwner | null): void {
    if (!connection.isIdle) return;
    if (owner === null || this.#isClosed) connection.destroy();
    else this.#idle.add(connection, owner, performance.now());
  }

  /** Closes idle connections; the others end with their attempts. */
  close(): void {
    clearInterval(this.#timer);
    this.#isClosed = true;
    this.#idle.endAll();
  }

  #open(
    { url, hostname, isAddress, port }: Destination,
    address: string,
    sessionKey: string,
  ): HttpConnection {
    if (url.protocol !== 'https:') return new HttpConnection({ address, port, tls: null });
    const tls = {
      context: this.#secureContext(),
      serverName: isAddress ? null : hostname,
      session: this.#sessions.get(sessionKey),
      onSession: (session: Buffer | null) => {
        if (session === null) this.#sessions.delete(sessionKey);
        else this.#sessions.set(sessionKey, session);
      },
    };
    return new HttpConnection({ address, port, tls });
  }

  /** One context for all connections, because reading the authorities for each takes a third of a handshake. */
  #secureContext(): SecureContext {
    const ca = this.#certificateAuthorities;
    this.#context ??= createSecureContext(ca === undefined ? {} : { ca });
    return this.#context;
  }
}

function keyOf({ url, port }: Destination, address: string): string {
  return `${url.protocol}//${url.host} ${address}:${port}`;
}
