import type { Queryable } from '../../db/client.ts';
import type { feeRoles } from '../../db/schema/fees.ts';

/** One payment of fees (contract/staking-fees#fee-distribution). */
export interface FeeDistribution {
  id: string;
  mintAddress: string;
  recipientWallet: string;
  role: (typeof feeRoles)[number];
  amountLamports: string;
  transactionSignature: string;
  slot: string;
  distributedAt: string;
}

/** A stored payment. */
export type DistributionRow = Omit<FeeDistribution, 'slot' | 'distributedAt'> & {
  slot: bigint;
  distributedAt: Date;
};

/** The public record of a payment: an item of the list, and `data` of `fee_distribution.completed`. */
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

/** Where a payment stands in the list: the keys of `fee_distributions_listing`. */
export type DistributionPosition = readonly [slot: string, ordinal: string];

export interface DistributionPage {
  /** Newest first. */
  distributions: FeeDistribution[];
  /** `before` of the next page; null on the last one. */
  next: DistributionPosition | null;
}

// Above every payment: the first page runs the same statement as the others.
const BEFORE_ALL: DistributionPosition = ['9223372036854775807', '9223372036854775807'];

/**
 * Payments of a visible token before a position, by one range of `fee_distributions_listing`; null when there is no
 * such token. What is ingested meanwhile shifts nothing: pages follow positions, not counts.
 */
export async function listDistributions(
  db: Queryable,
  mintAddress: string,
  { limit, before }: { limit: number; before?: DistributionPosition | undefined },
): Promise<DistributionPage | null> {
  const [slot, ordinal] = before ?? BEFORE_ALL;
  // A token without payments has one row, of nulls.
  const rows = await db<((DistributionRow & { ordinal: bigint }) | { id: null })[]>`
    select d.* from tokens t left join lateral (
      select id, mint_address, recipient_wallet, role, amount_lamports, transaction_signature, slot, distributed_at,
        ordinal
      from fee_distributions
      where mint_address = ${mintAddress} and (slot, ordinal) < (${slot}::int8, ${ordinal}::int8)
      order by slot desc, ordinal desc
      limit ${limit + 1}) d on true
    where t.mint_address = ${mintAddress} and not t.hidden
    order by d.slot desc, d.ordinal desc`;
  if (rows.length === 0) return null;
  const found = rows.filter((row): row is DistributionRow & { ordinal: bigint } => row.id !== null);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    distributions: page.map(toDistribution),
    next: found.length > limit && last !== undefined ? [last.slot.toString(), last.ordinal.toString()] : null,
  };
}
