import { atEnd } from '../run/cleanup.ts';
import { forwardRpc } from './forward-rpc.ts';

export interface RpcRouter {
  readonly url: string;
  /** Requests for these accounts go to the chain instead of the node with the holders. */
  readonly chainAccounts: Set<string>;
  /** Requests for a transaction that wait for `release`. */
  readonly held: number;
  /** Answers the held and all later requests. */
  release(): void;
}

export interface RpcRouterOptions {
  /** Gets all requests that the other nodes do not get. */
  chainUrl: string;
  /** The node with the histories of pools. */
  historyUrl: string;
  /** The node that lists the accounts of a mint. */
  holderUrl: string;
  /** The number of transactions that are returned; further requests wait. */
  transactionsBeforeHold: number;
}

/** One RPC address that routes requests to several test nodes by method. Clients see a complete node. */
export function startRpcRouter(options: RpcRouterOptions): RpcRouter {
  const gate = Promise.withResolvers<void>();
  const state = { told: 0, held: 0 };
  const chainAccounts = new Set<string>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== 'POST') return new Response('only POST', { status: 405 });
      const body = await request.text();
      const { method } = JSON.parse(body) as { method: string };
      if (method === 'getTransaction') {
        state.told += 1;
        if (state.told > options.transactionsBeforeHold) {
          state.held += 1;
          await gate.promise;
          state.held -= 1;
        }
      }
      const isOfChain = [...chainAccounts].some((address) => body.includes(address));
      return forwardRpc(isOfChain ? options.chainUrl : targetOf(method, options), request, body);
    },
  });
  atEnd(() => server.stop(true));
  return {
    url: `http://127.0.0.1:${server.port}`,
    chainAccounts,
    get held() {
      return state.held;
    },
    release: gate.resolve,
  };
}

function targetOf(method: string, { chainUrl, historyUrl, holderUrl }: RpcRouterOptions): string {
  if (method === 'getTransaction' || method === 'getSignaturesForAddress') return historyUrl;
  if (method === 'getProgramAccounts' || method === 'getMultipleAccounts' || method === 'getBlockTime')
    return holderUrl;
  return chainUrl;
}
