import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

interface EndpointAgents {
  http: HttpAgent;
  https: HttpsAgent;
  inUse: number;
  lastUsedMs: number;
}

/** Shorter than the keep-alive of common servers (nginx 75 s, Node 5 s is met by the retry in dial.ts). */
const IDLE_MS = 15_000;
const SWEEP_MS = 5_000;
/** Endpoints that keep connections open between attempts. */
const KEPT_ENDPOINTS_MAX = 1_000;

export interface AgentLease {
  agent(protocol: string): HttpAgent | HttpsAgent;
  release(): void;
}

/**
 * Keep-alive connections, pooled per endpoint: no endpoint waits for or reuses a connection of another one.
 * Connections are made to vetted addresses, never to names, and the pool's key is that address (dial.ts): a
 * changed DNS answer is judged again and gets its own connection.
 */
export class Agents {
  readonly #byEndpoint = new Map<string, EndpointAgents>();
  readonly #certificateAuthorities: string[] | undefined;
  readonly #perEndpoint: number;
  readonly #timer: ReturnType<typeof setInterval>;

  /**
   * @param perEndpoint attempts in flight to one endpoint, all of which may leave a connection for the next
   * @param certificateAuthorities PEM texts to trust instead of the default ones
   */
  constructor(perEndpoint: number, certificateAuthorities: string[] | undefined) {
    this.#perEndpoint = perEndpoint;
    this.#certificateAuthorities = certificateAuthorities;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#timer.unref();
  }

  lease(endpointId: string): AgentLease {
    const agents = this.#byEndpoint.get(endpointId) ?? this.#create();
    this.#byEndpoint.delete(endpointId);
    this.#byEndpoint.set(endpointId, agents);
    agents.inUse += 1;
    return {
      agent: (protocol) => (protocol === 'https:' ? agents.https : agents.http),
      release: () => {
        agents.inUse -= 1;
        agents.lastUsedMs = performance.now();
      },
    };
  }

  close(): void {
    clearInterval(this.#timer);
    for (const agents of this.#byEndpoint.values()) destroy(agents);
    this.#byEndpoint.clear();
  }

  #create(): EndpointAgents {
    const options = { keepAlive: true, maxFreeSockets: this.#perEndpoint };
    const ca = this.#certificateAuthorities;
    return {
      http: new HttpAgent(options),
      // Said explicitly: NODE_TLS_REJECT_UNAUTHORIZED must not switch the check off.
      https: new HttpsAgent({ ...options, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) }),
      inUse: 0,
      lastUsedMs: performance.now(),
    };
  }

  /** The map is in order of use, so the idle ones come first. */
  #sweep(): void {
    const nowMs = performance.now();
    let surplus = this.#byEndpoint.size - KEPT_ENDPOINTS_MAX;
    for (const [id, agents] of this.#byEndpoint) {
      if (agents.inUse > 0) continue;
      if (surplus <= 0 && nowMs - agents.lastUsedMs < IDLE_MS) return;
      surplus -= 1;
      this.#byEndpoint.delete(id);
      destroy(agents);
    }
  }
}

function destroy(agents: EndpointAgents): void {
  agents.http.destroy();
  agents.https.destroy();
}
