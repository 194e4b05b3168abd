/**
 * Passes a JSON-RPC request on to a node. Always over a new connection: a kept one may be closed by the other side at
 * the moment it is used, and nobody repeats a POST then. A node that breaks off is told as 502, as a proxy does: an
 * error thrown in a handler would count as one of the test run instead of reaching the client, who must cope with it.
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
