import type { Queryable, Transaction } from '../../db/client.ts';
import { poolAuthorities } from './protocol-accounts.ts';

/** The state of counting a token's holders (see `holder_counting`). */
export interface HolderCounting {
  mintAddress: string;
  isFollowed: boolean;
  snapshotSlot: bigint | null;
  mergingSlot: bigint | null;
  requiredSlot: bigint;
  seenSlot: bigint;
  latestSlot: bigint | null;
  latestAt: Date | null;
  holderCount: number | null;
}

/** Rows of these known tokens. Missing rows are created. The caller has locked the tokens. */
export async function readCounting(
  transaction: Transaction,
  mints: readonly string[],
  now: Date,
): Promise<Map<string, HolderCounting>> {
  const rows = await selectCounting(transaction, mints);
  const missing = mints.filter((mint) => !rows.has(mint));
  if (missing.length === 0) return rows;
  await transaction`
    insert into holder_counting (mint_address, protocol_accounts, next_snapshot_at)
    select mint_address, ${poolAuthorities as string[]}::text[], ${now} from unnest(${missing}::text[]) as m (mint_address)
    on conflict do nothing`;
  return selectCounting(transaction, mints);
}

async function selectCounting(
  transaction: Transaction,
  mints: readonly string[],
): Promise<Map<string, HolderCounting>> {
  const rows = await transaction<HolderCounting[]>`
    select mint_address, is_followed, snapshot_slot, merging_slot, required_slot, seen_slot, latest_slot, latest_at,
      holder_count
    from holder_counting where mint_address = any(${mints as string[]})`;
  return new Map(rows.map((row) => [row.mintAddress, row]));
}

/**
 * Whether the published count may change: only after the first snapshot, and not while a snapshot is written.
 */
export function isPublished({ isFollowed, snapshotSlot, mergingSlot }: HolderCounting): boolean {
  return isFollowed && snapshotSlot !== null && mergingSlot === null;
}

/** Balances up to this slot are already in the snapshot. */
export function countedThrough({ snapshotSlot, mergingSlot }: HolderCounting): bigint {
  return mergingSlot ?? snapshotSlot ?? -1n;
}

/** How many of these owners hold tokens, by mint. Owners of the protocol do not count. */
export async function countHolding(
  db: Queryable,
  mints: readonly string[],
  owners: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db<{ mintAddress: string; count: number }[]>`
    select o.mint_address, count(*)::int4 as count
    from (select distinct mint_address, owner_address
      from unnest(${mints as string[]}::text[], ${owners as string[]}::text[]) as given (mint_address, owner_address)) o
    join holder_counting c using (mint_address)
    where o.owner_address <> all(c.protocol_accounts) and exists (
      select from holder_accounts h where h.mint_address = o.mint_address and h.owner_address = o.owner_address
        and h.balance_raw > 0 and h.account_address <> all(c.protocol_accounts))
    group by o.mint_address`;
  return new Map(rows.map(({ mintAddress, count }) => [mintAddress, count]));
}

/** Counts all holders of a token whose accounts are stored. */
export async function recountHolders(db: Queryable, mintAddress: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(distinct h.owner_address)::int4 as count
    from holder_accounts h join holder_counting c using (mint_address)
    where h.mint_address = ${mintAddress} and h.balance_raw > 0
      and h.owner_address <> all(c.protocol_accounts) and h.account_address <> all(c.protocol_accounts)`;
  return row?.count ?? 0;
}
