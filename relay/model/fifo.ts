/** A queue whose first item leaves in constant time. */
export class Fifo<Item> {
  #items: Item[] = [];
  /** Number of items at the beginning that have left. */
  #left = 0;

  get length(): number {
    return this.#items.length - this.#left;
  }

  get first(): Item | undefined {
    return this.#items[this.#left];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const { first } = this;
    if (first === undefined) return undefined;
    this.#left += 1;
    if (2 * this.#left < this.#items.length) return first;
    this.#items = this.#items.slice(this.#left);
    this.#left = 0;
    return first;
  }

  /** Empties the queue; returns its items. */
  clear(): readonly Item[] {
    const items = this.#items.slice(this.#left);
    this.#items = [];
    this.#left = 0;
    return items;
  }
}

/**
 * A queue that has each item at most once. A `Set` alone would not do: to find its first item, it walks over all items
 * that were deleted before.
 */
export class UniqueFifo<Item> {
  readonly #order = new Fifo<Item>();
  readonly #waiting = new Set<Item>();

  add(item: Item): void {
    if (this.#waiting.has(item)) return;
    this.#waiting.add(item);
    this.#order.push(item);
  }

  delete(item: Item): void {
    this.#waiting.delete(item);
  }

  shift(): Item | undefined {
    for (let item = this.#order.shift(); item !== undefined; item = this.#order.shift())
      if (this.#waiting.delete(item)) return item;
    return undefined;
  }
}
