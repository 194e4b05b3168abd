import type { DecodedBatch, PublishDependencies } from './batch-publisher.ts';

/** Counts what the transactions hold and cannot be used. */
export async function countUndecoded(
  { undecoded }: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  for (const { record, decoded } of transactions)
    if (decoded !== null) undecoded.record(pool.poolAddress, record.signature, decoded);
}
