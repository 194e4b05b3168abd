import { createSolanaRpcFromTransport } from '@solana/kit';
import { PositionHistory } from './node-trust/position-history.ts';
import { Quarantine } from './node-trust/quarantine.ts';
import { describeRpcFailure, type RpcFailure } from './rpc/rpc-failure.ts';
import { createBoundedTransport } from './rpc/transport.ts';

export type SolanaRpc = ReturnType<typeof createKit>;

/** The result of a call. A failure never throws: every caller has to check for it. */
export type RpcOutcome<Value> = { ok: true; value: Value } | { ok: false; failure: RpcFailure };

/** One JSON-RPC node, with how far this process trusts it. */
export interface ChainRpc {
  /** Host and port, for logs: the rest of the URL may hold a credential. */
  readonly name: string;
  readonly quarantine: Quarantine;
  readonly positions: PositionHistory;
  /**
   * Runs one request of @solana/kit within `timeoutMs`, e.g.
   * `rpc.call((kit, abortSignal) => kit.getSlot().send({ abortSignal }), 2_000)`. A quarantined node is not called.
   */
  call<Value>(request: RpcRequest<Value>, timeoutMs: number): Promise<RpcOutcome<Value>>;
  /** As `call`, in quarantine too: for sends, whose responses are judged by the caller. */
  callRegardless<Value>(request: RpcRequest<Value>, timeoutMs: number): Promise<RpcOutcome<Value>>;
}

export type RpcRequest<Value> = (kit: SolanaRpc, abortSignal: AbortSignal) => Promise<Value>;

/** One client per URL of `SOLANA_RPC_URL`, in order. */
export function createChainRpcs(urls: readonly string[]): ChainRpc[] {
  return urls.map(createChainRpc);
}

export function createChainRpc(url: string): ChainRpc {
  const kit = createKit(url);
  const quarantine = new Quarantine();
  async function callRegardless<Value>(
    request: RpcRequest<Value>,
    timeoutMs: number,
  ): Promise<RpcOutcome<Value>> {
    try {
      return { ok: true, value: await request(kit, AbortSignal.timeout(timeoutMs)) };
    } catch (error) {
      return { ok: false, failure: describeRpcFailure(error) };
    }
  }
  return {
    name: new URL(url).host,
    quarantine,
    positions: new PositionHistory(),
    callRegardless,
    async call(request, timeoutMs) {
      if (quarantine.isActive) return quarantined;
      const outcome = await callRegardless(request, timeoutMs);
      // When the node was quarantined meanwhile, this response does not count either.
      return quarantine.isActive ? quarantined : outcome;
    },
  };
}

const quarantined: RpcOutcome<never> = {
  ok: false,
  failure: { kind: 'unavailable', message: 'the node is quarantined' },
};

function createKit(url: string) {
  return createSolanaRpcFromTransport(createBoundedTransport(url));
}
