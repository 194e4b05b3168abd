import { atEnd } from '../run/cleanup.ts';
import { forwardRpc } from './forward-rpc.ts';

/** A node whose recent prices the test chooses. */
export interface PricedNode {
  url: string;
  /** The lowest price of each recent block; null for a node that fails. */
  prices: readonly number[] | null;
  /** Accounts of each request for prices. */
  asked: string[][];
  /** Methods that were called. */
  methods: string[];
}

/** A proxy for a node, with prices of its own. Slots count up from 1,000. */
export function startPricedNode(nodeUrl: string, prices: readonly number[] = []): PricedNode {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text();
      const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params: string[][] };
      node.methods.push(method);
      if (method !== 'getRecentPrioritizationFees') return forwardRpc(nodeUrl, request, body);
      node.asked.push(params[0] ?? []);
      if (node.prices === null) return new Response('no', { status: 503 });
      const result = node.prices.map((prioritizationFee, at) => ({ slot: 1_000 + at, prioritizationFee }));
      return Response.json({ jsonrpc: '2.0', id, result });
    },
  });
  atEnd(() => server.stop(true));
  const node: PricedNode = {
    url: `http://127.0.0.1:${server.port}`,
    prices,
    asked: [],
    methods: [],
  };
  return node;
}
