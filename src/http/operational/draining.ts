/**
 * The time between the stop signal and the moment when the server stops accepting. Proxies read it from
 * `/readyz`, clients from `Connection: close`: a client that heeds them sends no request into a closing
 * connection.
 */
export class Draining {
  readonly #listeners: (() => void)[] = [];
  #begun = false;

  get begun(): boolean {
    return this.#begun;
  }

  begin(): void {
    this.#begun = true;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` when the process begins to stop: it must release every held request. */
  onBegin(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Bound, so that a promise can take it as a callback without another closure per request. */
  readonly mark = (response: Response): Response => {
    if (this.#begun) response.headers.set('Connection', 'close');
    return response;
  };
}
