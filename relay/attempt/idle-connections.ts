import { readFileSync } from 'node:fs';
import type { HttpConnection } from './http-connection.ts';

export interface IdleLimits {
  perEndpoint: number;
  total: number;
  idleMs: number;
}

/** The endpoint of a connection, and the destination (`key`). */
export interface ConnectionOwner {
  endpointId: string;
  key: string;
}

/**
 * Linked in the order in which connections became idle. A `Map` would not do: to find its first entry, it walks over
 * all entries that were deleted before.
 */
interface IdleConnection extends ConnectionOwner {
  connection: HttpConnection;
  sinceMs: number;
  older: IdleConnection | null;
  newer: IdleConnection | null;
}

/**
 * Connections that wait for another attempt, over all endpoints and addresses. Beyond a limit the connection that was
 * idle longest is closed. Each attempt in flight has one more connection, so this bounds the sockets.
 */
export class IdleConnections {
  readonly #limits: IdleLimits;
  /** The connections of each endpoint, in the order in which they became idle. */
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
    const own = this.#byEndpoint.get(endpointId) ?? [];
    if (own.length === 0) this.#byEndpoint.set(endpointId, own);
    own.push(idle);
    if (own.length > this.#limits.perEndpoint) own[0]?.connection.destroy();
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
    const own = this.#byEndpoint.get(endpointId) ?? [];
    own.splice(own.indexOf(idle), 1);
    if (own.length === 0) this.#byEndpoint.delete(endpointId);
  }
}

/**
 * A connection takes 9 KB, and 18 KB with TLS (measured), so all take 220 MB at most. With fewer connections,
 * deliveries to many endpoints, one after the other, find none.
 */
const IDLE_MAX = 12_288;
const IDLE_MIN = 2_048;
/** Files for attempts in flight, with three addresses each, for the database, for the broker and for the rest. */
const OTHER_FILES = 8_192;

/** How many connections may wait for an attempt, beside the other open files. */
export function idleConnectionsMax(openFiles = openFilesMax()): number {
  return Math.max(IDLE_MIN, Math.min(IDLE_MAX, openFiles - OTHER_FILES));
}

/** The soft limit of this process; 0 if the system has no such file. */
function openFilesMax(): number {
  try {
    const [, soft = '0'] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    // Only Linux has the file.
    return 0;
  }
}
