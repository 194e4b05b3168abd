import type { Transaction } from '../../db/client.ts';
import { newestBy } from './newest-observation.ts';
import { lockTokens } from './write-locks.ts';

/** A stake as observed at one slot (contract/staking-fees#owned-positions). */
export interface ObservedPosition {
  positionAddress: string;
  mintAddress: string;
  walletAddress: string;
  stakedRaw: string;
  pendingRewardsRaw: string;
  claimedRewardsRaw: string;
  stakedAt: string;
  unlocksAt?: string | null | undefined;
  slot: string;
  asOf: string;
}

export interface StoredPositions<Position> {
  /** Tokens with a changed position. */
  changedMints: string[];
  /** Unknown mints of the batch. Their positions are not stored. */
  unknownMints: ReadonlySet<string>;
  /**
   * Observations that were not stored: the position belongs to another wallet or token, which never changes.
   */
  foreign: ReadonlySet<Position>;
}

// Namespace of position ids (UUIDv5, RFC 9562 section 5.5): an arbitrary constant that must never change.
const POSITION_NAMESPACE = '0b6f0c52-6f3b-5b7e-8d0a-51f6c1f3a9d4';

/**
 * Stores positions that are newer than the stored ones, and updates the totals, in the caller's transaction.
 * Writers of one token wait for each other at its row. Rows are locked in the order of mints, so that writers
 * never deadlock and totals are never computed from half of another batch.
 */
export async function storeStakingPositions<Position extends ObservedPosition>(
  transaction: Transaction,
  positions: readonly Position[],
): Promise<StoredPositions<Position>> {
  const mints = [...new Set(positions.map(({ mintAddress }) => mintAddress))];
  const tokens = await lockTokens(transaction, mints);
  const known = positions.filter(({ mintAddress }) => tokens.has(mintAddress));
  const addresses = [...new Set(known.map(({ positionAddress }) => positionAddress))];
  const owned = byOwner(known, await readOwners(transaction, addresses));
  const newest = newestBy(owned, ({ positionAddress }) => positionAddress);
  const changed = await upsertPositions(transaction, newest);
  await refreshStakingTotals(transaction, changed);
  // Read again, because another worker may just have stored such a position under another token.
  const owners = await readOwners(transaction, addresses);
  return {
    changedMints: [...new Set(changed.map(({ mintAddress }) => mintAddress))],
    unknownMints: new Set(mints.filter((mint) => !tokens.has(mint))),
    foreign: new Set(known.filter((position) => owners.get(position.positionAddress) !== ownerOf(position))),
  };
}

/** Owner and token of a position. They never change. */
const ownerOf = ({ mintAddress, walletAddress }: Pick<ObservedPosition, 'mintAddress' | 'walletAddress'>) =>
  `${mintAddress} ${walletAddress}`;

async function readOwners(
  transaction: Transaction,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const rows = await transaction<
    { positionAddress: string; mintAddress: string; walletAddress: string }[]
  >`select position_address, mint_address, wallet_address from staking_positions
    where position_address = any(${addresses as string[]})`;
  return new Map(rows.map((row) => [row.positionAddress, ownerOf(row)]));
}

/** Observations with the position's owner. The first reported wallet owns a position that is not stored. */
function byOwner(
  positions: readonly ObservedPosition[],
  stored: ReadonlyMap<string, string>,
): ObservedPosition[] {
  const owners = new Map(stored);
  return positions.filter((position) => {
    const owner = owners.get(position.positionAddress) ?? ownerOf(position);
    owners.set(position.positionAddress, owner);
    return owner === ownerOf(position);
  });
}

/**
 * Returns the owners of changed positions. Rows are taken in one order, because the batch may hold addresses
 * of other tokens' positions.
 */
async function upsertPositions(transaction: Transaction, positions: readonly ObservedPosition[]) {
  const column = <Key extends keyof ObservedPosition>(key: Key) =>
    positions.map((position) => position[key] ?? null);
  const ids = positions.map(({ positionAddress }) => Bun.randomUUIDv5(positionAddress, POSITION_NAMESPACE));
  return transaction<{ mintAddress: string; walletAddress: string }[]>`
    insert into staking_positions as p (id, position_address, mint_address, wallet_address, staked_raw,
      pending_rewards_raw, claimed_rewards_raw, staked_at, unlocks_at, slot, as_of)
    select * from unnest(${ids}::uuid[], ${column('positionAddress')}::text[], ${column('mintAddress')}::text[],
      ${column('walletAddress')}::text[], ${column('stakedRaw')}::numeric[],
      ${column('pendingRewardsRaw')}::numeric[], ${column('claimedRewardsRaw')}::numeric[],
      ${column('stakedAt')}::timestamptz[], ${column('unlocksAt')}::timestamptz[], ${column('slot')}::int8[],
      ${column('asOf')}::timestamptz[]) as new (id, position_address)
    order by new.position_address
    on conflict (position_address) do update set staked_raw = excluded.staked_raw,
      pending_rewards_raw = excluded.pending_rewards_raw, claimed_rewards_raw = excluded.claimed_rewards_raw,
      staked_at = excluded.staked_at, unlocks_at = excluded.unlocks_at, slot = excluded.slot, as_of = excluded.as_of
    where (excluded.slot, excluded.as_of) > (p.slot, p.as_of)
      and (p.mint_address, p.wallet_address) = (excluded.mint_address, excluded.wallet_address)
    returning mint_address, wallet_address`;
}

/** A wallet that stakes a token. */
interface Staker {
  mintAddress: string;
  walletAddress: string;
}

/**
 * Updates the totals of these stakers, and the sums of their tokens, from their positions. The caller has
 * locked the tokens, so nobody else changes either in the meantime.
 */
async function refreshStakingTotals(transaction: Transaction, stakers: readonly Staker[]): Promise<void> {
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
