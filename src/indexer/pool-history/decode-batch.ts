import { decodeTransaction } from '../decode/decode-transaction.ts';
import type { TokenPool } from '../decode/known-pools.ts';
import type { PoolTransaction } from './batch-publisher.ts';
import type { FetchedTransaction } from './fetch-transactions.ts';

/** A transaction's number among those of the pool in its slot. */
export interface SlotOrdinal {
  slot: bigint;
  ordinal: number;
}

/**
 * Decodes transactions that follow `previous`, in chain order, and gives each its index in its block: as the
 * node reports it, else its number in its slot. Both sort the trades of a slot correctly.
 */
export function decodeBatch(
  fetched: readonly FetchedTransaction[],
  pool: TokenPool,
  previous: SlotOrdinal | null,
): { transactions: PoolTransaction[]; last: SlotOrdinal | null } {
  let last = previous;
  const transactions = fetched.map(({ record, transaction }) => {
    const ordinal: number = last !== null && last.slot === record.slot ? last.ordinal + 1 : 0;
    last = { slot: record.slot, ordinal };
    const transactionIndex = transaction?.transactionIndex ?? record.transactionIndex ?? ordinal;
    const decoded = transaction === null ? null : decodeTransaction(transaction, pool);
    return { record, transactionIndex, transaction, decoded };
  });
  return { transactions, last };
}
