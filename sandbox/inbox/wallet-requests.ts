import { AccountApi, type AccountApiOptions, ApiRefusal } from './account-api.ts';
import type { DemoWallet } from './demo-wallet.ts';

/** An intent as the api shows it, as far as the wallet needs it. */
interface Intent {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly serializedTransaction?: string;
  readonly transactionSignature: string | null;
  readonly error: { readonly code: string; readonly detail?: string } | null;
}

interface PreparedLaunch {
  readonly id: string;
  readonly mintAddress: string;
  readonly intent: Intent;
}

export interface WalletRequestsOptions {
  readonly api: AccountApiOptions;
  /** Null where no wallet is known: the page then only reads. */
  readonly wallet: DemoWallet | null;
  /** Headers of every response. */
  readonly headers: Record<string, string>;
}

/** The submission is answered when the transaction has ended, or after this time. */
const WAIT = { Prefer: 'wait=25' };

/**
 * What the page lets the sandbox's wallet do: the api prepares a transaction, the wallet signs exactly that one, and the
 * api gets it back. A request under the same `Idempotency-Key` again continues the same launch.
 */
export class WalletRequests {
  readonly #api: AccountApi;
  readonly #options: WalletRequestsOptions;

  constructor(options: WalletRequestsOptions) {
    this.#api = new AccountApi(options.api);
    this.#options = options;
  }

  /** Null for paths of others. 403 for a request of another site, 502 without the api, its own refusals as they are. */
  async respond(request: Request): Promise<Response | null> {
    const { pathname, origin } = new URL(request.url);
    if (!pathname.startsWith('/wallet/')) return null;
    const { headers, wallet } = this.#options;
    const isLaunch = request.method === 'POST' && pathname === '/wallet/launches';
    if (!isLaunch || wallet === null) return new Response(null, { status: 404, headers });
    // A page of another origin can send a POST to a server on loopback, but it cannot forge its `Origin`.
    if (request.headers.get('origin') !== origin) return new Response(null, { status: 403, headers });
    const key = request.headers.get('idempotency-key') ?? crypto.randomUUID();
    try {
      const body: unknown = await request.json();
      return Response.json(await this.#launch(wallet, Object(body), key), { status: 201, headers });
    } catch (error) {
      if (error instanceof ApiRefusal) return Response.json(error.problem, { status: error.status, headers });
      if (error instanceof SyntaxError) return new Response(null, { status: 400, headers });
      return new Response(null, { status: 502, headers });
    }
  }

  async #launch(wallet: DemoWallet, fields: object, key: string) {
    const { intent, ...launch } = await this.#api.ask<PreparedLaunch>('/launches', {
      method: 'POST',
      body: fields,
      headers: { 'Idempotency-Key': key },
    });
    return { launch, intent: await this.#submit(wallet, intent) };
  }

  /** Signs a prepared intent and submits it, once for each intent. Returns it as it ended, or as it is after the wait. */
  #submit(wallet: DemoWallet, { id, version, serializedTransaction = '' }: Intent): Promise<Intent> {
    return this.#api.ask<Intent>(`/transaction-intents/${id}/submissions`, {
      method: 'POST',
      body: { signedTransaction: wallet.sign(serializedTransaction) },
      headers: { 'Idempotency-Key': `submit-${id}`, 'If-Match': `"${version}"`, ...WAIT },
    });
  }
}
