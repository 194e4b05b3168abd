import type { RpcTransport } from '@solana/kit';
import { parseRpcJson, stringifyRpcJson } from './json.ts';
import { callJsonRpc } from './post.ts';

/** JSON-RPC over HTTP as the transport of @solana/kit does it, but with bounded responses. */
export function createBoundedTransport(url: string): RpcTransport {
  return async <Body>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<Body> => {
    // Ends the connection, with whatever the node is still sending, when the response is no longer needed.
    const cancelled = new AbortController();
    try {
      const text = await callJsonRpc(url, methodOf(payload), stringifyRpcJson(payload), {
        signal: signal === undefined ? cancelled.signal : AbortSignal.any([signal, cancelled.signal]),
      });
      return parseRpcJson(text) as Body;
    } catch (error) {
      cancelled.abort();
      throw error;
    }
  };
}

function methodOf(payload: unknown): string {
  return typeof payload === 'object' && payload !== null && 'method' in payload ? String(payload.method) : '';
}
