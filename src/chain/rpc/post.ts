import type { RpcTransport } from '@solana/kit';
import { parseRpcJson, stringifyRpcJson } from './json.ts';
import { readBoundedResponse } from './response-limits.ts';
import { httpError } from './rpc-failure.ts';

const HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json',
  'content-type': 'application/json',
};

export interface PostOptions {
  /** Ends the connection, even while the response arrives. */
  signal: AbortSignal;
  /** Additional headers. They may be secret. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * The only function that sends JSON-RPC over HTTP. Returns a response whose body is not read yet. Throws
 * unless the status is a success.
 */
export async function postJsonRpc(url: string, body: string, options: PostOptions): Promise<Response> {
  const { signal, headers } = options;
  const response = await fetch(url, {
    method: 'POST',
    // Redirects are not followed: the server at another address is not the chosen node.
    redirect: 'manual',
    headers: headers === undefined ? HEADERS : { ...headers, ...HEADERS },
    body,
    signal,
  });
  if (!response.ok) throw httpError(response);
  return response;
}

/** The whole response as text. Throws OversizedResponse when it exceeds the method's limit. */
export async function callJsonRpc(
  url: string,
  method: string,
  body: string,
  options: PostOptions,
): Promise<string> {
  return readBoundedResponse(await postJsonRpc(url, body, options), method);
}

/** JSON-RPC over HTTP like the transport of @solana/kit, but with bounded responses. */
export function createBoundedTransport(url: string): RpcTransport {
  return async <Body>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<Body> => {
    const text = await callOrCancel(url, methodOf(payload), stringifyRpcJson(payload), signal);
    return parseRpcJson(text) as Body;
  };
}

/** As `callJsonRpc`, and ends the connection when the response is no longer needed, even if the node still sends. */
export async function callOrCancel(
  url: string,
  method: string,
  body: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const cancelled = new AbortController();
  try {
    return await callJsonRpc(url, method, body, {
      signal: signal === undefined ? cancelled.signal : AbortSignal.any([signal, cancelled.signal]),
    });
  } catch (error) {
    cancelled.abort();
    throw error;
  }
}

function methodOf(payload: unknown): string {
  return typeof payload === 'object' && payload !== null && 'method' in payload ? String(payload.method) : '';
}
