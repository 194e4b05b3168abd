import type { Logger } from '../../shared/log.ts';
import type { DecodedTransaction } from '../decode/decode-transaction.ts';

/** What was found that a program upgrade, or a pool this service cannot index, would bring. */
export type Oddity = `unknown_event ${string}` | `skipped_swap ${string}`;

/**
 * Counts what the decoder could not use and alarms in the log: at the first of a kind, then at 10, 100 and so on, so
 * that an upgrade that changes every swap is seen and does not flood the log.
 */
export class EventAlarm {
  readonly #counts = new Map<Oddity, number>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Totals since the start of the process. */
  get counts(): ReadonlyMap<Oddity, number> {
    return this.#counts;
  }

  record(poolAddress: string, signature: string, decoded: DecodedTransaction): void {
    for (const [discriminator, count] of decoded.unknownEvents)
      this.#add(`unknown_event ${discriminator}`, count, poolAddress, signature);
    for (const reason of decoded.skippedSwaps) this.#add(`skipped_swap ${reason}`, 1, poolAddress, signature);
  }

  #add(oddity: Oddity, count: number, poolAddress: string, signature: string): void {
    const before = this.#counts.get(oddity) ?? 0;
    const total = before + count;
    this.#counts.set(oddity, total);
    if (total.toString().length === before.toString().length && before > 0) return;
    this.#log.error({ oddity, total, poolAddress, signature }, 'indexer.not_understood');
  }
}
