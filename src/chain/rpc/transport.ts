import type { RpcTransport } from '@solana/kit';
import { parseRpcJson, stringifyRpcJson } from './json.ts';
import { readBoundedResponse } from './response-limits.ts';
import { httpError } from './rpc-failure.ts';

/** JSON-RPC over HTTP as the transport of @solana/kit does it, but with bounded responses. */
export function createBoundedTransport(url: string): RpcTransport {
  return async <Body>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<Body> => {
    // Ends the connection, with whatever the node is still sending, when the response is no longer needed.
    const cancelled = new AbortController();
    const response = await fetch(url, {
      method: 'POST',
      // A node leads nobody to another address: what answers there is not the node that was chosen.
      redirect: 'manual',
      headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' },
      body: stringifyRpcJson(payload),
      signal: signal === undefined ? cancelled.signal : AbortSignal.any([signal, cancelled.signal]),
    });
    try {
      if (!response.ok) throw httpError(response);
      return parseRpcJson(await readBoundedResponse(response, methodOf(payload))) as Body;
    } catch (error) {
      cancelled.abort();
      throw error;
    }
  };
}

function methodOf(payload: unknown): string {
  return typeof payload === 'object' && payload !== null && 'method' in payload ? String(payload.method) : '';
}
