import { randomInt } from 'node:crypto';
import { pathOf } from '../../src/http/request-address.ts';
import { FaultState, type Faults } from './faults.ts';
import { answerBody, type MethodTable } from './json-rpc.ts';
import type { Ledger } from './ledger.ts';
import { LedgerView } from './ledger-view.ts';
import { METHODS } from './methods/method-table.ts';
import type { Network, NetworkMember } from './network.ts';
import { isOfOwnMachine, withoutControls } from './own-machine.ts';
import type { RpcContext } from './rpc-context.ts';
import { SubscriptionConnection } from './subscriptions/connection.ts';
import { SubscriptionHub } from './subscriptions/hub.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/** A reader this far behind is cut off. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
const PORT_PAIRS_TRIED = 50;
/** Below the ephemeral ports, where outgoing connections often have the neighbour of a free one, and below those of
 * `freePort`, whose callers bind them later. */
const FIRST_PORT = 10_000;
const LAST_PORT = 18_999;
const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'access-control-allow-origin': '*',
};
const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': 'content-type, solana-client',
  'access-control-max-age': '86400',
};

/** The address of a node. */
export interface RpcNodeOptions {
  readonly name: string;
  /** 0 takes a free one. */
  readonly port?: number;
  readonly faults?: Faults;
  /** A landing service has only these methods, and no subscriptions. */
  readonly sendOnlyMethods?: MethodTable;
}

interface SocketData {
  connection: SubscriptionConnection | undefined;
}
type Server = Bun.Server<SocketData>;

/**
 * One RPC endpoint on 127.0.0.1 over the shared ledger, with a name and faults of its own: HTTP, and WebSocket both on
 * the same port and on the next one, where @solana/web3.js expects a validator's socket.
 */
export class RpcNode implements NetworkMember {
  readonly name: string;
  readonly kind: NetworkMember['kind'];
  readonly port: number;
  readonly rpcUrl: string;
  readonly socketUrl: string;
  readonly #ledger: Ledger;
  readonly #faults = new FaultState();
  readonly #network: Network;
  readonly #methods: MethodTable;
  readonly #foreignMethods: MethodTable;
  readonly #hub: SubscriptionHub | null;
  #servers: readonly Server[];

  constructor(ledger: Ledger, network: Network, options: RpcNodeOptions) {
    const { name, port = 0, faults = {}, sendOnlyMethods } = options;
    network.checkName(name);
    this.name = name;
    this.kind = sendOnlyMethods === undefined ? 'node' : 'landing-service';
    this.#ledger = ledger;
    this.#network = network;
    this.#methods = sendOnlyMethods ?? METHODS;
    this.#foreignMethods = withoutControls(this.#methods);
    this.#hub = sendOnlyMethods === undefined ? new SubscriptionHub(() => this.#contextNow()) : null;
    this.#servers = this.#listen(port);
    if (this.#hub !== null) ledger.listeners.add(this.#hub);
    this.port = this.#servers[0]?.port ?? port;
    this.rpcUrl = `http://127.0.0.1:${this.port}`;
    this.socketUrl = `ws://127.0.0.1:${this.port}`;
    this.setFaults(faults);
    network.add(this);
  }

  get faults(): Faults {
    return this.#faults.current;
  }

  /** Replaces this node's faults; `{}` makes it healthy. Takes effect for the next request. */
  setFaults(faults: Faults): void {
    this.#faults.set(faults);
    if (faults.down === 'refuse') void this.#disconnect();
    else if (this.#servers.length === 0) this.#servers = this.#listen(this.port);
  }

  /** Closes the listeners and every open connection, for good. */
  async stop(): Promise<void> {
    if (this.#hub !== null) this.#ledger.listeners.delete(this.#hub);
    this.#network.remove(this.name);
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    const servers = this.#servers;
    this.#servers = [];
    await Promise.all(servers.map((server) => server.stop(true)));
  }

  #listen(port: number): readonly Server[] {
    if (port !== 0) {
      const main = this.#serve(port);
      const next = this.#serveIfFree(port + 1);
      return next === undefined ? [main] : [main, next];
    }
    for (let tried = 0; tried < PORT_PAIRS_TRIED; tried += 1) {
      const first = randomInt(FIRST_PORT, LAST_PORT);
      const main = this.#serveIfFree(first);
      const next = main === undefined ? undefined : this.#serveIfFree(first + 1);
      if (main !== undefined && next !== undefined) return [main, next];
      void main?.stop(true);
    }
    throw new Error('no two neighbouring free ports were found');
  }

  /** Undefined when another process has the port: sockets are then served on the main one only. */
  #serveIfFree(port: number): Server | undefined {
    try {
      return this.#serve(port);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
      if (port > 65_535) return undefined;
      throw error;
    }
  }

  #serve(port: number): Server {
    return Bun.serve<SocketData>({
      hostname: '127.0.0.1',
      port,
      reusePort: false,
      // By default an idle connection is closed after 10 s, perhaps while a client sends its next request on it.
      idleTimeout: 0,
      maxRequestBodySize: MAX_BODY_BYTES,
      fetch: (request, server) => this.#handle(request, server),
      websocket: {
        maxPayloadLength: MAX_BODY_BYTES,
        backpressureLimit: MAX_UNREAD_BYTES,
        closeOnBackpressureLimit: true,
        open: (socket) => {
          if (this.#hub === null) return;
          socket.data.connection = new SubscriptionConnection(
            this.#hub,
            () => this.#contextNow(),
            (text) => void socket.send(text),
          );
        },
        message: (socket, message) => socket.data.connection?.receive(message.toString()),
        close: (socket) => socket.data.connection?.close(),
      },
    });
  }

  async #handle(request: Request, server: Server): Promise<Response | undefined> {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS });
    if (request.headers.get('upgrade')?.toLowerCase() === 'websocket') return this.#upgrade(request, server);
    if (request.method === 'GET' && pathOf(request) === '/health') return new Response('ok');
    if (request.method !== 'POST')
      return new Response('Used HTTP Method is not allowed. POST is required', { status: 405 });
    const body = await request.text();
    const isOwn = isOfOwnMachine(request.headers);
    const refusal = isOwn && body.includes('"sandbox_') ? null : this.#refusal();
    const { latencyMs = 0 } = this.#faults.current;
    if (latencyMs > 0) await Bun.sleep(latencyMs);
    return (
      refusal ??
      new Response(
        answerBody(isOwn ? this.#methods : this.#foreignMethods, () => this.#context(), body),
        { headers: JSON_HEADERS },
      )
    );
  }

  #upgrade(request: Request, server: Server): Response | undefined {
    const refusal = this.#refusal();
    if (refusal !== null) return refusal;
    if (this.#hub === null) return new Response('no subscriptions', { status: 404 });
    const upgraded = server.upgrade(request, { data: { connection: undefined } });
    return upgraded ? undefined : new Response('not a WebSocket handshake', { status: 400 });
  }

  #refusal(): Response | null {
    if (this.#faults.current.down === 'unavailable')
      return new Response('Service Unavailable', { status: 503 });
    const retryAfterSeconds = this.#faults.takeRateLimit();
    if (retryAfterSeconds === null) return null;
    const body = '{"jsonrpc":"2.0","error":{"code":429,"message":"Too many requests"},"id":null}';
    const headers = { ...JSON_HEADERS, 'retry-after': String(retryAfterSeconds) };
    return new Response(body, { status: 429, headers });
  }

  #context(): RpcContext {
    this.#ledger.tick();
    return this.#contextNow();
  }

  /** Does not move the chain on: a listener of a change must not cause the next one. */
  #contextNow(): RpcContext {
    const lag = BigInt(this.#faults.current.lagSlots ?? 0);
    return {
      ledger: this.#ledger,
      view: new LedgerView(this.#ledger.slot - lag, this.#ledger.finalizedAfterSlots, this.#ledger.skipped),
      faults: this.#faults,
      member: this,
      network: this.#network,
    };
  }
}
