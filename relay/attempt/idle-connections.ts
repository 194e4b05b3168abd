import type { Duplex } from 'node:stream';

export interface IdleLimits {
  perEndpoint: number;
  total: number;
  idleMs: number;
}

interface IdleConnection {
  endpointId: string;
  sinceMs: number;
  onClose(): void;
}

/**
 * Connections that wait for another attempt, over all endpoints and addresses. Beyond a limit the one that was idle
 * longest is closed. With the attempts in flight, one connection each, this bounds the sockets.
 */
export class IdleConnections {
  readonly #limits: IdleLimits;
  /** In the order in which they became idle. */
  readonly #idle = new Map<Duplex, IdleConnection>();
  readonly #byEndpoint = new Map<string, Set<Duplex>>();

  constructor(limits: IdleLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#idle.size;
  }

  hasAny(endpointId: string): boolean {
    return this.#byEndpoint.has(endpointId);
  }

  add(socket: Duplex, endpointId: string, nowMs: number): void {
    const { perEndpoint, total } = this.#limits;
    const onClose = () => this.remove(socket);
    this.#idle.set(socket, { endpointId, sinceMs: nowMs, onClose });
    socket.once('close', onClose);
    const ofEndpoint = this.#byEndpoint.get(endpointId) ?? new Set();
    this.#byEndpoint.set(endpointId, ofEndpoint.add(socket));
    if (ofEndpoint.size > perEndpoint) this.#end(ofEndpoint);
    else if (this.#idle.size > total) this.#end(this.#idle.keys());
  }

  /** Call it when the connection is in use again or closed. */
  remove(socket: Duplex): void {
    const idle = this.#idle.get(socket);
    if (idle === undefined) return;
    this.#idle.delete(socket);
    socket.off('close', idle.onClose);
    const ofEndpoint = this.#byEndpoint.get(idle.endpointId);
    ofEndpoint?.delete(socket);
    if (ofEndpoint?.size === 0) this.#byEndpoint.delete(idle.endpointId);
  }

  endOlder(nowMs: number): void {
    for (const [socket, { sinceMs }] of this.#idle) {
      if (nowMs - sinceMs < this.#limits.idleMs) return;
      this.#end([socket]);
    }
  }

  /** Closes the first of the sockets, which was idle longest. */
  #end(sockets: Iterable<Duplex>): void {
    for (const socket of sockets) {
      this.remove(socket);
      socket.destroy();
      return;
    }
  }
}
