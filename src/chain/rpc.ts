import { createSolanaRpc } from '@solana/kit';
import { describeRpcFailure, type RpcFailure } from './rpc-failure.ts';

export type SolanaRpc = ReturnType<typeof createSolanaRpc>;

/** What a call came to. A failure never throws: every caller has to look at it. */
export type RpcOutcome<Value> = { ok: true; value: Value } | { ok: false; failure: RpcFailure };

/** One JSON-RPC node. */
export interface ChainRpc {
  /** Host and port, for logs: the rest of the URL may hold a credential. */
  readonly name: string;
  /**
   * Runs one request of @solana/kit within `timeoutMs`, e.g.
   * `rpc.call((kit, abortSignal) => kit.getSlot().send({ abortSignal }), 2_000)`.
   */
  call<Value>(
    request: (kit: SolanaRpc, abortSignal: AbortSignal) => Promise<Value>,
    timeoutMs: number,
  ): Promise<RpcOutcome<Value>>;
}

/** One client per URL of `SOLANA_RPC_URL`, in order. */
export function createChainRpcs(urls: readonly string[]): ChainRpc[] {
  return urls.map(createChainRpc);
}

export function createChainRpc(url: string): ChainRpc {
  const kit = createSolanaRpc(url);
  return {
    name: new URL(url).host,
    async call(request, timeoutMs) {
      try {
        return { ok: true, value: await request(kit, AbortSignal.timeout(timeoutMs)) };
      } catch (error) {
        return { ok: false, failure: describeRpcFailure(error) };
      }
    },
  };
}
