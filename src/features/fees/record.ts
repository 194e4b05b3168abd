import type { FeeDistribution } from './schema.ts';

/** A stored payment. */
export type DistributionRow = Omit<FeeDistribution, 'slot' | 'distributedAt'> & {
  slot: bigint;
  distributedAt: Date;
};

/** Builds the public record of a payment: an item of the list, and `data` of `fee_distribution.completed`. */
export function toDistribution(row: DistributionRow): FeeDistribution {
  return {
    id: row.id,
    mintAddress: row.mintAddress,
    recipientWallet: row.recipientWallet,
    role: row.role,
    amountLamports: row.amountLamports,
    transactionSignature: row.transactionSignature,
    slot: row.slot.toString(),
    distributedAt: row.distributedAt.toISOString(),
  };
}
