/**
 * Forwards a JSON-RPC request to a node. It always opens a new connection, because a node may close a kept
 * one while a POST is sent, which nobody repeats. A broken connection becomes a 502, as at a proxy. An error
 * thrown here would fail the test run instead of reaching the client.
 */
export async function forwardRpc(nodeUrl: string, request: Request, body: string): Promise<Response> {
  try {
    return await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      keepalive: false,
      signal: request.signal,
    });
  } catch (error) {
    return new Response(`the node broke off: ${String(error)}`, { status: 502 });
  }
}
