import {
  getSolanaErrorFromJsonRpcError,
  SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR,
  SolanaError,
} from '@solana/kit';
import { callOrCancel } from './post.ts';

/**
 * One request by JSON-RPC, for the calls that come with every trade or swap: @solana/kit takes several times
 * as long as the rest of such a call, because it looks at each value of the response twice. Resolves with the
 * text of the response. Throws the errors of `postJsonRpc`, and OversizedResponse.
 */
export type AskNode = (
  method: string,
  params: readonly unknown[],
  abortSignal: AbortSignal,
) => Promise<string>;

export function createAsk(url: string): AskNode {
  let id = 0;
  return (method, params, abortSignal) => {
    id += 1;
    return callOrCancel(url, method, JSON.stringify({ jsonrpc: '2.0', id, method, params }), abortSignal);
  };
}

/**
 * The result in the text of a response. Whole numbers above 2^53 are not exact, so this is not for lamports. Throws
 * the errors of a node as @solana/kit does, and SyntaxError.
 */
export function readResult(text: string): unknown {
  const response: unknown = JSON.parse(text);
  if (typeof response !== 'object' || response === null) throw malformed(response);
  if ('error' in response) throw getSolanaErrorFromJsonRpcError(response.error);
  if (!('result' in response)) throw malformed(response);
  return response.result;
}

function malformed(response: unknown): SolanaError {
  return new SolanaError(SOLANA_ERROR__MALFORMED_JSON_RPC_ERROR, {
    error: response,
    message: 'the response has no result',
  });
}
