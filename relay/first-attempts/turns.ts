import { Fifo } from '../dispatch/fifo.ts';

/** Who waits for a turn, each once, in order. The first of a `Set` is found by walking over all that were deleted before it. */
export class Turns<Item> {
  readonly #order = new Fifo<Item>();
  readonly #waiting = new Set<Item>();

  add(item: Item): void {
    if (this.#waiting.has(item)) return;
    this.#waiting.add(item);
    this.#order.push(item);
  }

  /** The item waits no more. */
  delete(item: Item): void {
    this.#waiting.delete(item);
  }

  /** Takes the one whose turn it is. */
  shift(): Item | undefined {
    for (let item = this.#order.shift(); item !== undefined; item = this.#order.shift())
      if (this.#waiting.delete(item)) return item;
    return undefined;
  }
}
