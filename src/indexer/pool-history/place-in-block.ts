import type { SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { FetchedTransaction } from './fetch-transactions.ts';

/** The last numbered record, and its number within its slot. */
export interface BlockPlace {
  slot: bigint;
  ordinal: number;
}

/**
 * The transaction's index in its block where the node reports it, else its number among the pool's
 * transactions in that slot. Lists are in chain order, so both sort the trades of a slot correctly.
 */
export function placeInBlock(
  { record, transaction }: FetchedTransaction,
  previous: BlockPlace | null,
): { transactionIndex: number; place: BlockPlace } {
  const ordinal = previous !== null && previous.slot === record.slot ? previous.ordinal + 1 : 0;
  return {
    transactionIndex: transaction?.transactionIndex ?? record.transactionIndex ?? ordinal,
    place: { slot: record.slot, ordinal },
  };
}

/** How many of the first `limit` records fill whole slots. A larger slot is taken whole. */
export function wholeSlotCount(records: readonly SignatureRecord[], limit: number): number {
  if (records.length <= limit) return records.length;
  let count = limit;
  while (count > 0 && records[count - 1]?.slot === records[count]?.slot) count -= 1;
  if (count > 0) return count;
  count = limit;
  while (count < records.length && records[count]?.slot === records[0]?.slot) count += 1;
  return count;
}
