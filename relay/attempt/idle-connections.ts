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

/** Linked in the order in which they became idle: the first of a `Map` is found by walking over all that were deleted before it. */
interface IdleConnection extends ConnectionOwner {
  connection: HttpConnection;
  sinceMs: number;
  older: IdleConnection | null;
  newer: IdleConnection | null;
}

/**
 * Connections that wait for another attempt, over all endpoints and addresses. Beyond a limit the one that was idle
 * longest is closed. With the attempts in flight, one connection each, this bounds the sockets.
 */
export class IdleConnections {
  readonly #limits: IdleLimits;
  /** Of each endpoint in the order in which they became idle. */
  readonly #byEndpoint = new Map<string, IdleConnection[]>();
  #oldest: IdleConnection | null = null;
  #newest: IdleConnection | null = null;
  #size = 0;

  constructor(limits: IdleLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  add(connection: HttpConnection, { endpointId, key }: ConnectionOwner, nowMs: number): void {
    const idle = { connection, endpointId, key, sinceMs: nowMs, older: this.#newest, newer: null };
    if (this.#newest === null) this.#oldest = idle;
    else this.#newest.newer = idle;
    this.#newest = idle;
    this.#size += 1;
    connection.onClose = () => this.#remove(idle);
    const ofEndpoint = this.#byEndpoint.get(endpointId) ?? [];
    if (ofEndpoint.length === 0) this.#byEndpoint.set(endpointId, ofEndpoint);
    ofEndpoint.push(idle);
    if (ofEndpoint.length > this.#limits.perEndpoint) ofEndpoint[0]?.connection.destroy();
    else if (this.#size > this.#limits.total) this.#oldest?.connection.destroy();
  }

  /** The endpoint's connection that became idle last, to be used again. */
  take(endpointId: string, key: string): HttpConnection | undefined {
    const latest = this.#byEndpoint.get(endpointId)?.findLast((idle) => idle.key === key);
    if (latest !== undefined) this.#remove(latest);
    return latest?.connection;
  }

  endOlder(nowMs: number): void {
    while (this.#oldest !== null && nowMs - this.#oldest.sinceMs >= this.#limits.idleMs)
      this.#oldest.connection.destroy();
  }

  endAll(): void {
    while (this.#oldest !== null) this.#oldest.connection.destroy();
  }

  #remove(idle: IdleConnection): void {
    const { connection, endpointId, older, newer } = idle;
    connection.onClose = null;
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    this.#size -= 1;
    const ofEndpoint = this.#byEndpoint.get(endpointId) ?? [];
    ofEndpoint.splice(ofEndpoint.indexOf(idle), 1);
    if (ofEndpoint.length === 0) this.#byEndpoint.delete(endpointId);
  }
}
