import type { Transaction } from '../../db/client.ts';
import { lockTokens } from './write-locks.ts';

/** A pool that was read, and the wallets that may claim from it, where its accounts showed them. */
interface CheckedPool {
  mintAddress: string;
  poolAddress: string;
  creatorWallet: string | null;
  leftoverWallet: string | null;
}

/** Fees of a token from the accounts of its pools at one slot. */
export interface ChainFees extends CheckedPool {
  feeBps: { creator: number; platform: number; stakers: number };
  accrued: bigint;
  distributed: bigint;
  claimable: ReadonlyMap<string, bigint>;
  slot: bigint;
  asOf: Date;
}

/** A pool whose accounts showed no fees. */
export interface FailedFees extends CheckedPool {
  problem: string;
}

/**
 * Stores states that are newer than the stored ones, and replaces states of feeds. The state, the claimable
 * amounts of each wallet and the read position of the pool change together.
 */
export async function storeChainFees(
  transaction: Transaction,
  fees: readonly ChainFees[],
  failed: readonly FailedFees[],
  now: Date,
): Promise<void> {
  await lockTokens(
    transaction,
    [...fees, ...failed].map(({ mintAddress }) => mintAddress),
  );
  const newer: ChainFees[] = [];
  for (const one of fees) if (await storeState(transaction, one)) newer.push(one);
  for (const one of newer) await storeClaimables(transaction, one);
  const checked = [
    ...fees.map((one) => ({ ...one, problem: null })),
    ...failed.map((one) => ({ ...one, slot: null })),
  ];
  await transaction`
    update fee_pools p set checked_at = ${now}, problem = c.problem, read_slot = greatest(p.read_slot, c.slot),
      creator_wallet = case when c.slot < p.read_slot then p.creator_wallet else coalesce(c.creator_wallet, p.creator_wallet) end,
      leftover_wallet = coalesce(c.leftover_wallet, p.leftover_wallet)
    from unnest(${checked.map(({ mintAddress }) => mintAddress)}::text[],
      ${checked.map(({ poolAddress }) => poolAddress)}::text[], ${checked.map(({ problem }) => problem)}::text[],
      ${checked.map(({ slot }) => slot?.toString() ?? null)}::int8[],
      ${checked.map(({ creatorWallet }) => creatorWallet)}::text[],
      ${checked.map(({ leftoverWallet }) => leftoverWallet)}::text[])
      as c (mint_address, pool_address, problem, slot, creator_wallet, leftover_wallet)
    where p.mint_address = c.mint_address and p.pool_address = c.pool_address`;
}

/** Returns false when a newer state is stored. */
async function storeState(
  transaction: Transaction,
  { mintAddress, feeBps, accrued, distributed, slot, asOf }: ChainFees,
): Promise<boolean> {
  const stored = await transaction`
    insert into fee_states as f (mint_address, creator_bps, platform_bps, stakers_bps, accrued_lamports,
      distributed_lamports, slot, as_of, source)
    values (${mintAddress}, ${feeBps.creator}, ${feeBps.platform}, ${feeBps.stakers}, ${accrued.toString()},
      ${distributed.toString()}, ${slot}, ${asOf}, 'chain')
    on conflict (mint_address) do update set creator_bps = excluded.creator_bps,
      platform_bps = excluded.platform_bps, stakers_bps = excluded.stakers_bps,
      accrued_lamports = excluded.accrued_lamports, distributed_lamports = excluded.distributed_lamports,
      slot = excluded.slot, as_of = excluded.as_of, source = excluded.source
    where f.source = 'feed' or excluded.slot >= f.slot`;
  return stored.count > 0;
}

/** A wallet that is not in the list can no longer claim anything. */
async function storeClaimables(
  transaction: Transaction,
  { mintAddress, claimable, slot, asOf }: ChainFees,
): Promise<void> {
  const wallets = [...claimable.keys()];
  await transaction`
    insert into fee_claimables (mint_address, wallet_address, claimable_lamports, slot, as_of, source)
    select ${mintAddress}, wallet, lamports, ${slot}::int8, ${asOf}::timestamptz, 'chain'
    from unnest(${wallets}::text[], ${[...claimable.values()].map(String)}::numeric[]) as w (wallet, lamports)
    on conflict (mint_address, wallet_address) do update set claimable_lamports = excluded.claimable_lamports,
      slot = excluded.slot, as_of = excluded.as_of, source = excluded.source`;
  await transaction`
    update fee_claimables set claimable_lamports = 0, slot = ${slot}::int8, as_of = ${asOf}, source = 'chain'
    where mint_address = ${mintAddress} and wallet_address <> all(${wallets}::text[])
      and (source = 'feed' or claimable_lamports > 0)`;
}
