import { forwardRpc } from '../chain/forward-rpc.ts';
import { atEnd } from '../run/cleanup.ts';

export interface LyingNode {
  rpcUrl: string;
  /** Changes the result of a method, or an empty object when the node has none. Null keeps the result. */
  // biome-ignore lint/suspicious/noExplicitAny: responses of every method
  change: (method: string, result: any) => any;
  /** Calls of a method since `forget`. */
  seen(method: string): number;
  forget(): void;
}

/** A proxy for a node that counts calls and may change results. */
export function startLyingNode(nodeUrl: () => string): LyingNode {
  const calls = new Map<string, number>();
  const node: Pick<LyingNode, 'change'> = { change: () => null };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text();
      const { method } = JSON.parse(body) as { method: string };
      calls.set(method, (calls.get(method) ?? 0) + 1);
      const response = await forwardRpc(nodeUrl(), request, body);
      const text = await response.text();
      if (!response.ok) return new Response(text, { status: response.status });
      const { jsonrpc, id, result } = JSON.parse(text) as { jsonrpc: string; id: string; result?: unknown };
      const changed = node.change(method, result ?? {});
      return changed === null ? new Response(text) : Response.json({ jsonrpc, id, result: changed });
    },
  });
  atEnd(() => server.stop(true));
  return Object.assign(node, {
    rpcUrl: `http://127.0.0.1:${server.port}`,
    seen: (method: string) => calls.get(method) ?? 0,
    forget: () => calls.clear(),
  });
}
