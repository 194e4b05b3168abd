import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { IdleConnections, type IdleLimits } from './idle-connections.ts';

type Protocol = 'http' | 'https';
/** Made when they are needed: most endpoints need one of the two. */
type Agents = Partial<Record<Protocol, HttpAgent | HttpsAgent>>;

interface EndpointAgents {
  agents: Agents;
  inUse: number;
}

/** Shorter than the keep-alive of common servers (nginx 75 s; for Node's 5 s there is the retry in post-to-address.ts). */
const IDLE_MS = 15_000;
const SWEEP_MS = 1_000;
/** As many as there can be attempts in flight. */
const IDLE_MAX = 2_048;

export interface ConnectionLease {
  /** @param isRedirect a redirect may lead somewhere else every time: such a connection is not reused */
  agent(protocol: string, isRedirect: boolean): HttpAgent | HttpsAgent;
  release(): void;
}

/**
 * Keep-alive connections, pooled per endpoint: no endpoint waits for or reuses a connection of another one.
 * Connections are made to vetted addresses, never to names, and the key of the agent's pool is that address
 * (post-to-address.ts): a changed DNS response is checked again and leads to a new connection.
 */
export class ConnectionPool {
  readonly #byEndpoint = new Map<string, EndpointAgents>();
  readonly #certificateAuthorities: string[] | undefined;
  readonly #withoutReuse: Agents = {};
  readonly #idle: IdleConnections;
  readonly #timer: ReturnType<typeof setInterval>;

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
    this.#idle = new IdleConnections({ perEndpoint, total: IDLE_MAX, idleMs: IDLE_MS, ...limits });
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#timer.unref();
  }

  /** Connections that wait for another attempt. */
  get idle(): number {
    return this.#idle.size;
  }

  lease(endpointId: string): ConnectionLease {
    const endpoint = this.#byEndpoint.get(endpointId) ?? { agents: {}, inUse: 0 };
    this.#byEndpoint.set(endpointId, endpoint);
    endpoint.inUse += 1;
    return {
      agent: (protocol, isRedirect) =>
        this.#agent(endpointId, endpoint.agents, protocolOf(protocol), isRedirect),
      release: () => {
        endpoint.inUse -= 1;
      },
    };
  }

  close(): void {
    clearInterval(this.#timer);
    for (const agents of [
      ...[...this.#byEndpoint.values()].map(({ agents: own }) => own),
      this.#withoutReuse,
    ])
      for (const agent of Object.values(agents)) agent.destroy();
    this.#byEndpoint.clear();
  }

  #agent(endpointId: string, own: Agents, protocol: Protocol, isRedirect: boolean): HttpAgent | HttpsAgent {
    const agents = isRedirect ? this.#withoutReuse : own;
    const existing = agents[protocol];
    if (existing !== undefined) return existing;
    const agent = this.#create(protocol, !isRedirect);
    if (!isRedirect) this.#watch(agent, endpointId);
    agents[protocol] = agent;
    return agent;
  }

  #create(protocol: Protocol, keepAlive: boolean): HttpAgent | HttpsAgent {
    if (protocol === 'http') return new HttpAgent({ keepAlive });
    const ca = this.#certificateAuthorities;
    // Explicit: NODE_TLS_REJECT_UNAUTHORIZED must not switch the check off.
    return new HttpsAgent({ keepAlive, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) });
  }

  /** The agent's own limits hold per address and port, and redirects and DNS can name new ones without end. */
  #watch(agent: HttpAgent, endpointId: string): void {
    const keepSocketAlive = agent.keepSocketAlive.bind(agent);
    const reuseSocket = agent.reuseSocket.bind(agent);
    agent.keepSocketAlive = (socket) => {
      const isKept = keepSocketAlive(socket);
      this.#idle.add(socket, endpointId, performance.now());
      return isKept;
    };
    agent.reuseSocket = (socket, request) => {
      this.#idle.remove(socket);
      reuseSocket(socket, request);
    };
  }

  #sweep(): void {
    this.#idle.endOlder(performance.now());
    for (const [id, { inUse }] of this.#byEndpoint) {
      if (inUse === 0 && !this.#idle.hasAny(id)) this.#byEndpoint.delete(id);
    }
  }
}

function protocolOf(protocol: string): Protocol {
  return protocol === 'https:' ? 'https' : 'http';
}
