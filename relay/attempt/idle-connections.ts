import type { HttpConnection } from './http-connection.ts';

export interface IdleLimits {
  perEndpoint: number;
  total: number;
  idleMs: number;
}

/** Whose a connection is, and where it leads. */
export interface ConnectionOwner {
  endpointId: string;
  key: string;
}

interface IdleConnection extends ConnectionOwner {
  sinceMs: number;
}

/**
 * Connections that wait for another attempt, over all endpoints and addresses. Beyond a limit the one that was idle
 * longest is closed. With the attempts in flight, one connection each, this bounds the sockets.
 */
export class IdleConnections {
  readonly #limits: IdleLimits;
  /** In the order in which they became idle. */
  readonly #idle = new Map<HttpConnection, IdleConnection>();
  readonly #byEndpoint = new Map<string, Set<HttpConnection>>();

  constructor(limits: IdleLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#idle.size;
  }

  add(connection: HttpConnection, { endpointId, key }: ConnectionOwner, nowMs: number): void {
    const { perEndpoint, total } = this.#limits;
    this.#idle.set(connection, { endpointId, key, sinceMs: nowMs });
    connection.onClose = () => this.#remove(connection);
    const ofEndpoint = this.#byEndpoint.get(endpointId) ?? new Set();
    this.#byEndpoint.set(endpointId, ofEndpoint.add(connection));
    if (ofEndpoint.size > perEndpoint) endFirst(ofEndpoint);
    else if (this.#idle.size > total) endFirst(this.#idle.keys());
  }

  /** The endpoint's connection that became idle last, to be used again. */
  take(endpointId: string, key: string): HttpConnection | undefined {
    let latest: HttpConnection | undefined;
    for (const connection of this.#byEndpoint.get(endpointId) ?? [])
      if (this.#idle.get(connection)?.key === key) latest = connection;
    if (latest !== undefined) this.#remove(latest);
    return latest;
  }

  endOlder(nowMs: number): void {
    for (const [connection, { sinceMs }] of this.#idle) {
      if (nowMs - sinceMs < this.#limits.idleMs) return;
      connection.destroy();
    }
  }

  endAll(): void {
    for (const connection of [...this.#idle.keys()]) connection.destroy();
  }

  #remove(connection: HttpConnection): void {
    const idle = this.#idle.get(connection);
    if (idle === undefined) return;
    this.#idle.delete(connection);
    connection.onClose = null;
    const ofEndpoint = this.#byEndpoint.get(idle.endpointId);
    ofEndpoint?.delete(connection);
    if (ofEndpoint?.size === 0) this.#byEndpoint.delete(idle.endpointId);
  }
}

/** Closes the first of the connections, which was idle longest. */
function endFirst(connections: Iterable<HttpConnection>): void {
  for (const connection of connections) {
    connection.destroy();
    return;
  }
}
