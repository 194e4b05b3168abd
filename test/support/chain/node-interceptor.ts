import { forwardRpc } from './forward-rpc.ts';

/** A JSON-RPC error as a node sends it. */
interface NodeError {
  code: number;
  message: string;
  data?: unknown;
}

interface Call {
  id: unknown;
  method: string;
  params?: unknown;
}

export interface NodeInterceptor {
  rpcUrl: string;
  /** The error for a request, whose parameters are JSON; null passes it on to the node. */
  answer: (method: string, params: string) => NodeError | null;
  /** While set, the first response to this method is the response to all of its calls, and costs the node nothing. */
  repeated: string | null;
  /** While set, each request waits for it before it goes on to the node. */
  held: Promise<void> | null;
  /** Calls of a method since the start or `forget`. */
  seen(method: string): number;
  forget(): void;
  stop(): Promise<void>;
}

/** A proxy for a node that counts calls and returns errors that the sandbox chain does not produce. */
export function interceptNode(nodeUrl: string): NodeInterceptor {
  const calls = new Map<string, number>();
  const interceptor: Pick<NodeInterceptor, 'answer' | 'repeated' | 'held'> = {
    answer: () => null,
    repeated: null,
    held: null,
  };
  const first = new Map<string, Promise<unknown>>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // A request that is held may be silent for longer than Bun's 10 s.
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== 'POST') return new Response('only POST', { status: 405 });
      const body = await request.text();
      const { id, method, params = [] } = JSON.parse(body) as Call;
      calls.set(method, (calls.get(method) ?? 0) + 1);
      const error = interceptor.answer(method, JSON.stringify(params));
      if (error !== null) return Response.json({ jsonrpc: '2.0', error, id });
      await interceptor.held;
      if (method !== interceptor.repeated) return forwardRpc(nodeUrl, request, body);
      const asked = first.get(method) ?? forwardRpc(nodeUrl, request, body).then((one) => one.json());
      first.set(method, asked);
      return Response.json({ ...((await asked) as object), id });
    },
  });
  return Object.assign(interceptor, {
    rpcUrl: `http://127.0.0.1:${server.port}`,
    seen: (method: string) => calls.get(method) ?? 0,
    forget: () => calls.clear(),
    stop: () => server.stop(true),
  });
}
