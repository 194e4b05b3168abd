import { LedgerView } from './commitment.ts';
import { FaultState, type Faults } from './faults.ts';
import { answerBody } from './json-rpc.ts';
import type { Ledger } from './ledger.ts';
import type { RpcContext } from './rpc-context.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** One RPC endpoint on 127.0.0.1 over the shared ledger, with faults of its own. */
export class RpcNode {
  readonly port: number;
  readonly rpcUrl: string;
  private readonly ledger: Ledger;
  private readonly faults = new FaultState();
  private server: Bun.Server<undefined> | null;

  constructor(ledger: Ledger, port: number, faults: Faults = {}) {
    this.ledger = ledger;
    this.server = this.listen(port);
    this.port = this.server.port ?? port;
    this.rpcUrl = `http://127.0.0.1:${this.port}`;
    this.setFaults(faults);
  }

  /** Replaces this node's faults; `{}` makes it healthy. Takes effect for the next request. */
  setFaults(faults: Faults): void {
    this.faults.set(faults);
    if (faults.down === 'refuse') void this.stop();
    else this.server ??= this.listen(this.port);
  }

  /** Closes the listener and every open connection. */
  async stop(): Promise<void> {
    const server = this.server;
    this.server = null;
    await server?.stop(true);
  }

  private listen(port: number): Bun.Server<undefined> {
    return Bun.serve({
      hostname: '127.0.0.1',
      port,
      reusePort: false,
      maxRequestBodySize: MAX_BODY_BYTES,
      fetch: (request) => this.handle(request),
    });
  }

  private async handle(request: Request): Promise<Response> {
    if (request.method === 'GET' && new URL(request.url).pathname === '/health') return new Response('ok');
    if (request.method !== 'POST')
      return new Response('Used HTTP Method is not allowed. POST is required', { status: 405 });
    const body = await request.text();
    const refusal = body.includes('"sandbox_') ? null : this.refusal();
    const { latencyMs = 0 } = this.faults.current;
    if (latencyMs > 0) await Bun.sleep(latencyMs);
    return (
      refusal ??
      new Response(
        answerBody(() => this.context(), body),
        { headers: JSON_HEADERS },
      )
    );
  }

  private refusal(): Response | null {
    if (this.faults.current.down === 'unavailable')
      return new Response('Service Unavailable', { status: 503 });
    const retryAfterSeconds = this.faults.takeRateLimit();
    if (retryAfterSeconds === null) return null;
    const body = '{"jsonrpc":"2.0","error":{"code":429,"message":"Too many requests"},"id":null}';
    const headers = { ...JSON_HEADERS, 'retry-after': String(retryAfterSeconds) };
    return new Response(body, { status: 429, headers });
  }

  private context(): RpcContext {
    this.ledger.tick();
    const lag = BigInt(this.faults.current.lagSlots ?? 0);
    return {
      ledger: this.ledger,
      view: new LedgerView(this.ledger.slot - lag, this.ledger.finalizedAfterSlots),
      faults: this.faults,
      setFaults: (faults) => this.setFaults(faults),
    };
  }
}
