import type { Logger } from '../../shared/log.ts';
import type { DecodedTransaction } from '../decode/decode-transaction.ts';
import type { DecodedBatch, PublishDependencies } from './batch-publisher.ts';

/** What the decoder could not use: the sign of a program upgrade, or of a pool that this service cannot index. */
export type UndecodedKind = `unknown_event ${string}` | `skipped_swap ${string}`;

/**
 * Counts what the decoder could not use and logs it as an error: at the first of a kind, then at 10, 100 and so on, so
 * that an upgrade that changes every swap is seen and does not flood the log.
 */
export class UndecodedCounts {
  readonly #counts = new Map<UndecodedKind, number>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Totals since the start of the process. */
  get counts(): ReadonlyMap<UndecodedKind, number> {
    return this.#counts;
  }

  record(poolAddress: string, signature: string, decoded: DecodedTransaction): void {
    for (const [discriminator, count] of decoded.unknownEvents)
      this.#add(`unknown_event ${discriminator}`, count, poolAddress, signature);
    for (const reason of decoded.skippedSwaps) this.#add(`skipped_swap ${reason}`, 1, poolAddress, signature);
  }

  #add(kind: UndecodedKind, count: number, poolAddress: string, signature: string): void {
    const before = this.#counts.get(kind) ?? 0;
    const total = before + count;
    this.#counts.set(kind, total);
    if (total.toString().length === before.toString().length && before > 0) return;
    this.#log.error({ kind, total, poolAddress, signature }, 'indexer.undecoded');
  }
}

export async function countUndecoded(
  { undecoded }: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  for (const { record, decoded } of transactions)
    if (decoded !== null) undecoded.record(pool.poolAddress, record.signature, decoded);
}
