/** Blocks whose prices are reported. */
export const PRIORITY_FEE_SLOTS = 150n;

interface SlotPrices {
  /** The lowest price of the block, in micro-lamports a compute unit. */
  lowest: bigint;
  /** The lowest price among the transactions that locked an account for writing. */
  readonly lowestByAccount: Map<string, bigint>;
}

/** Priority prices of landed transactions by block. In memory only; a restart fills it from history. */
export class PriorityFees {
  readonly #keptSlots: bigint;
  /** Slots ascend in insertion order; blocks without transactions have no entry. */
  readonly #slots = new Map<bigint, SlotPrices>();

  constructor(keptSlots: bigint) {
    this.#keptSlots = keptSlots;
  }

  /** Notes the price of a landed transaction, failed ones included, and the accounts it locked for writing. */
  record(slot: bigint, price: bigint, writable: readonly string[]): void {
    let prices = this.#slots.get(slot);
    if (prices === undefined) {
      prices = { lowest: price, lowestByAccount: new Map() };
      this.#slots.set(slot, prices);
    }
    if (price < prices.lowest) prices.lowest = price;
    for (const address of writable) {
      const known = prices.lowestByAccount.get(address);
      if (known === undefined || price < known) prices.lowestByAccount.set(address, price);
    }
  }

  /**
   * The price that a transaction had to pay in a block: the highest of the block's and the accounts' lowest prices. Null
   * for a block without transactions.
   */
  at(slot: bigint, accounts: readonly string[]): bigint | null {
    const prices = this.#slots.get(slot);
    if (prices === undefined) return null;
    return accounts.reduce((highest, address) => {
      const price = prices.lowestByAccount.get(address) ?? 0n;
      return price > highest ? price : highest;
    }, prices.lowest);
  }

  /** Forgets the blocks after a slot. */
  dropAfter(slot: bigint): void {
    for (const one of this.#slots.keys()) if (one > slot) this.#slots.delete(one);
  }

  /** Forgets what no reader can ask for any more. */
  prune(headSlot: bigint): void {
    for (const slot of this.#slots.keys()) {
      if (slot > headSlot - this.#keptSlots) break;
      this.#slots.delete(slot);
    }
  }
}
