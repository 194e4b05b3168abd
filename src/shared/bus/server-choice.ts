import type { NodeConnectionOptions } from '@nats-io/transport-node';

type ChooseServer = NonNullable<NodeConnectionOptions['reconnectToServer']>;
type Server = Parameters<ChooseServer>[0][number];

/** A fleet that lost a node comes to the others spread over this time. */
const SPREAD_MS = 500;

/**
 * Chooses the server of the next attempt to connect: the one that was lost or tried longest ago, at random
 * among those not tried yet. So a lost node comes last, and costs no timeout while another one is there. The
 * first connection is made without delay, every other one after a random part of `SPREAD_MS`.
 */
export class ServerChoice {
  readonly #random: () => number;
  readonly #nowMs: () => number;
  readonly #lostAtMs = new Map<string, number>();
  #connectedTo: string | null = null;
  #wasConnected = false;

  constructor(random: () => number = Math.random, nowMs: () => number = Date.now) {
    this.#random = random;
    this.#nowMs = nowMs;
  }

  /** @param listen host and port, as the client names its servers */
  connectedTo(listen: string): void {
    this.#connectedTo = listen;
    this.#wasConnected = true;
  }

  /** The client ends the connection when this throws, so it must not. */
  readonly choose: ChooseServer = (servers) => {
    if (this.#connectedTo !== null) this.#lostAtMs.set(this.#connectedTo, this.#nowMs());
    this.#connectedTo = null;
    const [first] = servers;
    if (first === undefined) return null;
    const usedAt = ({ listen, lastConnect }: Server) =>
      Math.max(lastConnect, this.#lostAtMs.get(listen) ?? 0);
    const oldest = Math.min(...servers.map(usedAt));
    const candidates = servers.filter((server) => usedAt(server) === oldest);
    const server = candidates[Math.floor(this.#random() * candidates.length)] ?? first;
    return { server, delay: this.#wasConnected ? this.#random() * SPREAD_MS : 0 };
  };
}
