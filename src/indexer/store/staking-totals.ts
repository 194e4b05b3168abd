import type { Transaction } from '../../db/client.ts';

/** A wallet that stakes a token. */
export interface Staker {
  mintAddress: string;
  walletAddress: string;
}

/**
 * Updates the totals of these stakers, and the sums of their tokens, from their positions. The caller has
 * locked the tokens, so nobody else changes either in the meantime.
 */
export async function refreshStakingTotals(
  transaction: Transaction,
  stakers: readonly Staker[],
): Promise<void> {
  if (stakers.length === 0) return;
  const mints = stakers.map(({ mintAddress }) => mintAddress);
  const wallets = stakers.map(({ walletAddress }) => walletAddress);
  // Every part of the statement sees the old totals: `was` is the amount to subtract from the sums.
  await transaction`
    with stakers as (
      select distinct mint_address, wallet_address
      from unnest(${mints}::text[], ${wallets}::text[]) as s (mint_address, wallet_address)),
    now as (
      select s.mint_address, s.wallet_address, p.staked_raw, p.staked_since, p.as_of,
        coalesce(t.staked_raw, 0) as was
      from stakers s
      cross join lateral (
        select coalesce(sum(staked_raw), 0) as staked_raw, min(staked_at) filter (where staked_raw > 0) as staked_since,
          max(as_of) as as_of
        from staking_positions
        where mint_address = s.mint_address and wallet_address = s.wallet_address) p
      left join staking_totals t on t.mint_address = s.mint_address and t.wallet_address = s.wallet_address),
    gone as (
      delete from staking_totals t using now
      where t.mint_address = now.mint_address and t.wallet_address = now.wallet_address and now.staked_raw = 0),
    kept as (
      insert into staking_totals (mint_address, wallet_address, staked_raw, staked_since)
      select mint_address, wallet_address, staked_raw, staked_since from now where staked_raw > 0
      on conflict (mint_address, wallet_address) do update
      set staked_raw = excluded.staked_raw, staked_since = excluded.staked_since)
    insert into staking_sums (mint_address, staked_raw, as_of)
    select now.mint_address, coalesce(max(s.staked_raw), 0) + sum(now.staked_raw - now.was),
      greatest(max(s.as_of), max(now.as_of))
    from now left join staking_sums s using (mint_address)
    group by now.mint_address
    on conflict (mint_address) do update set staked_raw = excluded.staked_raw, as_of = excluded.as_of`;
}
