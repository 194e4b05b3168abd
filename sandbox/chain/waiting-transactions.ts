import { computeUnitPriceOf } from './fees.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** A transaction that was sent to the chain. */
export interface SentTransaction {
  readonly transaction: WireTransaction;
  /** Sent by a landing service: it may use the part of a block that is kept for those. */
  readonly mayUseReserve: boolean;
  readonly priceMicroLamports: bigint;
  /** How often a node sends it again while it has not landed; as often as it may still land by default. */
  readonly maxRetries: number;
}

export function sentTransaction(
  transaction: WireTransaction,
  mayUseReserve: boolean,
  maxRetries = Number.POSITIVE_INFINITY,
): SentTransaction {
  return {
    transaction,
    mayUseReserve,
    maxRetries,
    priceMicroLamports: computeUnitPriceOf(transaction.message),
  };
}

/** The order of a block: by price; tips do not count. Those of one price keep theirs. */
export function dearestFirst(sent: readonly SentTransaction[]): SentTransaction[] {
  return sent.toSorted((one, other) => Number(other.priceMicroLamports - one.priceMicroLamports));
}

/** A transaction that has not landed yet. */
export interface Waiting {
  readonly sent: SentTransaction;
  /** It is tried in the first block from this moment on, in Unix milliseconds of the chain. */
  readonly dueMs: number;
  /** How often its node still sends it again. */
  readonly retriesLeft: number;
  /** Whether its node has sent it again. */
  readonly isRetry: boolean;
  /** The height of the last block that may have it. */
  readonly lastHeight: bigint;
}

/** The size of the pool from which a node of Agave sends again. */
const MAX_WAITING = 10_000;

/** The transactions that have not landed yet and still may. */
export class WaitingTransactions {
  readonly #byId = new Map<string, Waiting>();

  get size(): number {
    return this.#byId.size;
  }

  /** One that waits already keeps its place. Too many are dropped, as by a cluster. */
  add(waiting: Waiting): void {
    const { signature } = waiting.sent.transaction;
    const known = this.#byId.get(signature);
    if (known === undefined && this.#byId.size >= MAX_WAITING) return;
    const mayUseReserve = waiting.sent.mayUseReserve || known?.sent.mayUseReserve === true;
    this.#byId.set(signature, { ...waiting, sent: { ...waiting.sent, mayUseReserve } });
  }

  /** Takes those that are due, those first that have waited longest. */
  takeDue(nowMs: number): Waiting[] {
    const due = [...this.#byId.values()].filter(({ dueMs }) => dueMs <= nowMs);
    for (const { sent } of due) this.#byId.delete(sent.transaction.signature);
    return due;
  }
}
