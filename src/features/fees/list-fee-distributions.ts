import type { Queryable } from '../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../db/keyset-page.ts';
import { type DistributionRow, toDistribution } from './record.ts';
import type { ListedFeeDistribution } from './schema.ts';

/**
 * Position of a payment in the list: the keys of `fee_distributions_listing` and
 * `fee_distributions_of_pools`.
 */
export type DistributionPosition = readonly [slot: string, ordinal: string];

type ListedRow = DistributionRow & { ordinal: bigint; intentId: string | null };

// Sorts before the newest payment: the first page runs the same statement as the others.
const BEFORE_ALL: DistributionPosition = ['9223372036854775807', '9223372036854775807'];

/**
 * Lists the payments of a visible token, newest first, by one range of an index; null when there is no such
 * token. For a token with a pool these are payments that the chain shows, and payments to stakers, which its
 * programs do not make.
 *
 * @param accountId the account that reads: a payment names its intent to nobody else
 */
export async function listFeeDistributions(
  db: Queryable,
  mintAddress: string,
  {
    limit,
    after = BEFORE_ALL,
    accountId = null,
  }: { limit: number; after?: DistributionPosition | undefined; accountId?: string | null },
): Promise<KeysetPage<ListedFeeDistribution, DistributionPosition> | null> {
  const [slot, ordinal] = after;
  // A token without payments has a single row of nulls.
  const rows = await db<(ListedRow | { id: null })[]>`
    select d.*, (select intent_id from fee_claim_intents f
      where f.transaction_signature = d.transaction_signature and f.account_id = ${accountId}::uuid) as intent_id
    from visible_tokens t left join lateral (
      (select id, mint_address, recipient_wallet, role, amount_lamports, transaction_signature, slot, distributed_at,
        ordinal
      from fee_distributions
      where mint_address = ${mintAddress} and (slot, ordinal) < (${slot}::int8, ${ordinal}::int8)
        and t.pool_address is null
      order by slot desc, ordinal desc
      limit ${limit + 1})
      union all
      (select id, mint_address, recipient_wallet, role, amount_lamports, transaction_signature, slot, distributed_at,
        ordinal
      from fee_distributions
      where mint_address = ${mintAddress} and (slot, ordinal) < (${slot}::int8, ${ordinal}::int8)
        and (source = 'chain' or role = 'stakers') and t.pool_address is not null
      order by slot desc, ordinal desc
      limit ${limit + 1})) d on true
    where t.mint_address = ${mintAddress}
    order by d.slot desc, d.ordinal desc`;
  if (rows.length === 0) return null;
  const found = rows.filter((row): row is ListedRow => row.id !== null);
  const toListed = (row: ListedRow) => ({ ...toDistribution(row), intentId: row.intentId });
  return keysetPage(found, limit, toListed, (row) => [row.slot.toString(), row.ordinal.toString()]);
}
