import { pathOf } from '../../src/http/request-address.ts';
import { AccountApi, type AccountApiOptions, ApiRefusal } from './account-api.ts';
import { isOfThisOrigin } from './api-gateway.ts';
import type { DemoWallet } from './demo-wallet.ts';
import { WalletActions } from './wallet-actions.ts';
import { WalletOrders } from './wallet-orders.ts';

export interface WalletRequestsOptions {
  readonly api: AccountApiOptions;
  /** Null where no wallet is known: the page then only reads. */
  readonly wallet: DemoWallet | null;
  /** Headers of every response. */
  readonly headers: Record<string, string>;
}

interface Action {
  readonly method: 'POST' | 'DELETE';
  readonly path: RegExp;
  readonly status: number;
  run(body: object, key: string, id: string): Promise<object>;
}

const ORDER = /^\/wallet\/orders\/([0-9a-f-]{36})$/;

/**
 * What the page lets the sandbox's wallet do: launch a token, place an order, cancel one. It signs nothing else. A request
 * under the same `Idempotency-Key` again continues the first one.
 */
export class WalletRequests {
  readonly #actions: readonly Action[];
  readonly #headers: Record<string, string>;

  constructor({ api: options, wallet, headers }: WalletRequestsOptions) {
    this.#headers = headers;
    this.#actions = wallet === null ? [] : actionsOf(new AccountApi(options), wallet);
  }

  /** Null for paths of others. 403 for a request of another site, 502 without the api, its own refusals as they are. */
  async respond(request: Request): Promise<Response | null> {
    const pathname = pathOf(request);
    if (!pathname.startsWith('/wallet/')) return null;
    const headers = this.#headers;
    const action = this.#actions.find(({ method, path }) => method === request.method && path.test(pathname));
    if (action === undefined) return new Response(null, { status: 404, headers });
    if (!isOfThisOrigin(request)) return new Response(null, { status: 403, headers });
    const key = request.headers.get('idempotency-key') ?? crypto.randomUUID();
    try {
      const body: unknown = request.method === 'POST' ? await request.json() : {};
      const [, id = ''] = action.path.exec(pathname) ?? [];
      return Response.json(await action.run(Object(body), key, id), { status: action.status, headers });
    } catch (error) {
      if (error instanceof ApiRefusal) return Response.json(error.problem, { status: error.status, headers });
      if (error instanceof SyntaxError) return new Response(null, { status: 400, headers });
      return new Response(null, { status: 502, headers });
    }
  }
}

function actionsOf(api: AccountApi, wallet: DemoWallet): Action[] {
  const actions = new WalletActions(api, wallet);
  const orders = new WalletOrders(api, wallet, actions);
  return [
    {
      method: 'POST',
      path: /^\/wallet\/launches$/,
      status: 201,
      run: (body, key) => actions.launch(body, key),
    },
    { method: 'POST', path: /^\/wallet\/orders$/, status: 201, run: (body, key) => orders.place(body, key) },
    { method: 'DELETE', path: ORDER, status: 200, run: (_body, key, id) => orders.cancel(id, key) },
  ];
}
