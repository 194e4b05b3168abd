/**
 * The time between the signal to stop and the end of accepting. Proxies read it from `/readyz`, clients from
 * `Connection: close`: a client that heeds them sends no request into a connection that is about to close.
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

  /** Calls `listener` when the process is going to stop: what it holds back must be let go. */
  onBegin(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Bound, so that it can follow a promise without another closure per request. */
  readonly mark = (response: Response): Response => {
    if (this.#begun) response.headers.set('Connection', 'close');
    return response;
  };
}
