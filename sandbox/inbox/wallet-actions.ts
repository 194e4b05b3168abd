import type { AccountApi } from './account-api.ts';
import type { DemoWallet } from './demo-wallet.ts';

/** An intent as the api shows it, as far as the wallet needs it. */
interface Intent {
  readonly id: string;
  readonly version: number;
  readonly serializedTransaction?: string;
}

/** A response with the intent to sign; null where nothing is to be signed. */
export interface Prepared {
  readonly intent: Intent | null;
}

/** The submission is answered when the transaction has ended, or after this time. */
const WAIT = { Prefer: 'wait=25' };

/** What the wallet of the sandbox does: the api prepares a transaction, the wallet signs exactly that one. */
export class WalletActions {
  readonly #api: AccountApi;
  readonly #wallet: DemoWallet;

  constructor(api: AccountApi, wallet: DemoWallet) {
    this.#api = api;
    this.#wallet = wallet;
  }

  /** @param fields those of `createLaunch`. The same key again continues the same launch. */
  async launch(fields: object, key: string) {
    const headers = { 'Idempotency-Key': key };
    const launch = await this.#api.ask<Prepared>('/launches', { method: 'POST', body: fields, headers });
    return this.submitted(launch);
  }

  /**
   * Signs the intent of a response and submits it, once for each intent. Returns it as it ended, or is after the wait.
   */
  async submitted<Record extends Prepared>({ intent, ...record }: Record) {
    if (intent === null) return { record, intent };
    const { id, version, serializedTransaction = '' } = intent;
    const ended = await this.#api.ask<Intent>(`/transaction-intents/${id}/submissions`, {
      method: 'POST',
      body: { signedTransaction: this.#wallet.sign(serializedTransaction) },
      headers: { 'Idempotency-Key': `submit-${id}`, 'If-Match': `"${version}"`, ...WAIT },
    });
    return { record, intent: ended };
  }
}
