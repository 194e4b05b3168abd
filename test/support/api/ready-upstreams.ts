import { wait } from '../../../src/shared/loop.ts';
import { atEnd } from '../run/cleanup.ts';

const POLL_MS = 20;

/** Polls `/readyz` of several servers, like a load balancer, and knows which ones are ready. */
export class ReadyUpstreams {
  readonly #ready = new Map<number, boolean>();
  #turn = 0;

  constructor() {
    const stop = new AbortController();
    const polling = this.#poll(stop.signal);
    atEnd(async () => {
      stop.abort();
      await polling;
    });
  }

  add(port: number): void {
    this.#ready.set(port, false);
  }

  remove(port: number): void {
    this.#ready.delete(port);
  }

  isReady(port: number): boolean {
    return this.#ready.get(port) === true;
  }

  /** The next ready one in turn. */
  readonly next = (): number => {
    const ports = [...this.#ready].flatMap(([port, ready]) => (ready ? [port] : []));
    const port = ports[this.#turn++ % ports.length];
    if (port === undefined) throw new Error('no server is ready');
    return port;
  };

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await Promise.all([...this.#ready.keys()].map((port) => this.#ask(port)));
      await wait(POLL_MS, signal);
    }
  }

  async #ask(port: number): Promise<void> {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (this.#ready.has(port)) this.#ready.set(port, ready);
  }
}
