/** A queue whose first item leaves in constant time. */
export class Fifo<Item> {
  #items: Item[] = [];
  /** Of the items, how many at their beginning have left. */
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

  /** Empties it; returns what was in it. */
  clear(): readonly Item[] {
    const items = this.#items.slice(this.#left);
    this.#items = [];
    this.#left = 0;
    return items;
  }
}
