import { type RpcTransport, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import { readBoundedAnswer } from './bounded-answer.ts';

/** JSON-RPC over HTTP as the transport of @solana/kit does it, but for bounded answers. */
export function createBoundedTransport(url: string): RpcTransport {
  return async <Answer>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<Answer> => {
    // Ends the connection, with whatever the node is still sending, when the answer is not wanted any more.
    const unwanted = new AbortController();
    const response = await fetch(url, {
      method: 'POST',
      // A node leads nobody to another address: what answers there is not the node that was chosen.
      redirect: 'manual',
      headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' },
      body: stringifyJsonWithBigInts(payload),
      signal: signal === undefined ? unwanted.signal : AbortSignal.any([signal, unwanted.signal]),
    });
    try {
      if (!response.ok) {
        throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
          headers: response.headers,
          message: response.statusText,
          statusCode: response.status,
        });
      }
      return parseJsonWithBigInts(await readBoundedAnswer(response, methodOf(payload))) as Answer;
    } catch (error) {
      unwanted.abort();
      throw error;
    }
  };
}

function methodOf(payload: unknown): string {
  return typeof payload === 'object' && payload !== null && 'method' in payload ? String(payload.method) : '';
}
