import { computeUnitPriceOf } from './fees.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** A transaction that was sent to the chain. */
export interface SentTransaction {
  readonly transaction: WireTransaction;
  /** Sent by a landing service: it may use the part of a block that is kept for those. */
  readonly mayUseReserve: boolean;
  readonly priceMicroLamports: bigint;
}

export function sentTransaction(transaction: WireTransaction, mayUseReserve: boolean): SentTransaction {
  return { transaction, mayUseReserve, priceMicroLamports: computeUnitPriceOf(transaction.message) };
}

/** The order of a block: by price; tips do not count. Those of one price keep theirs. */
export function dearestFirst(sent: readonly SentTransaction[]): SentTransaction[] {
  return sent.toSorted((one, other) => Number(other.priceMicroLamports - one.priceMicroLamports));
}

const MAX_WAITING = 10_000;

/** The transactions that had no room in a block. */
export class WaitingTransactions {
  readonly #byId = new Map<string, SentTransaction>();

  get size(): number {
    return this.#byId.size;
  }

  /** @returns false when too many wait: the transaction is dropped, as by a cluster */
  add(sent: SentTransaction): boolean {
    const { signature } = sent.transaction;
    const known = this.#byId.get(signature);
    if (known === undefined && this.#byId.size >= MAX_WAITING) return false;
    const mayUseReserve = sent.mayUseReserve || known?.mayUseReserve === true;
    this.#byId.set(signature, { ...sent, mayUseReserve });
    return true;
  }

  /** Takes all of them, those first that have waited longest. */
  takeAll(): SentTransaction[] {
    const all = [...this.#byId.values()];
    this.#byId.clear();
    return all;
  }
}
