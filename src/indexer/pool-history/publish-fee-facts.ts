import type { DecodedBatch, PublishDependencies } from './batch-publisher.ts';

/** Keeps what the transactions say of fees: claims, and what is needed to tell whose they are. */
export async function publishFeeFacts(
  { onFeeFacts }: PublishDependencies,
  { transactions }: DecodedBatch,
): Promise<void> {
  await onFeeFacts(transactions.map(({ decoded }) => decoded));
}
