import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { IdleConnections, type IdleLimits } from './idle-connections.ts';

interface AgentPair {
  http: HttpAgent;
  https: HttpsAgent;
}

interface EndpointAgents extends AgentPair {
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
  readonly #withoutReuse: AgentPair;
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
    this.#withoutReuse = this.#createPair(false);
    this.#idle = new IdleConnections({ perEndpoint, total: IDLE_MAX, idleMs: IDLE_MS, ...limits });
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#timer.unref();
  }

  /** Connections that wait for another attempt. */
  get idle(): number {
    return this.#idle.size;
  }

  lease(endpointId: string): ConnectionLease {
    const agents = this.#byEndpoint.get(endpointId) ?? this.#create(endpointId);
    agents.inUse += 1;
    return {
      agent: (protocol, isRedirect) => (isRedirect ? this.#withoutReuse : agents)[pairKey(protocol)],
      release: () => {
        agents.inUse -= 1;
      },
    };
  }

  close(): void {
    clearInterval(this.#timer);
    for (const agents of [...this.#byEndpoint.values(), this.#withoutReuse]) {
      agents.http.destroy();
      agents.https.destroy();
    }
    this.#byEndpoint.clear();
  }

  #create(endpointId: string): EndpointAgents {
    const pair = this.#createPair(true);
    for (const agent of [pair.http, pair.https]) this.#watch(agent, endpointId);
    const agents = { ...pair, inUse: 0 };
    this.#byEndpoint.set(endpointId, agents);
    return agents;
  }

  #createPair(keepAlive: boolean): AgentPair {
    const ca = this.#certificateAuthorities;
    return {
      http: new HttpAgent({ keepAlive }),
      // Explicit: NODE_TLS_REJECT_UNAUTHORIZED must not switch the check off.
      https: new HttpsAgent({ keepAlive, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) }),
    };
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

function pairKey(protocol: string): keyof AgentPair {
  return protocol === 'https:' ? 'https' : 'http';
}
