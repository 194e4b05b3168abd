import type { Database, Transaction } from '../../db/client.ts';
import { storeChainCounts } from '../store/holder-counts.ts';
import { lockTokens } from '../store/write-locks.ts';
import { dropAccounts, dropUnfollowed, keepBalances, listAccounts } from './account-rows.ts';
import { countedThrough, type HolderCounting, readCounting, recountHolders } from './counting-rows.ts';
import type { HolderSnapshot } from './read-snapshot.ts';
import { FOLLOWED_AGAIN_MAX, retryPauseMs, snapshotPauseMs } from './size-classes.ts';

/** An index after every transaction of its slot. */
const AFTER_ALL = 2_147_483_647;
const ROWS_PER_STATEMENT = 5_000;

/** `counted`: published. `again`: another snapshot is needed. `outdated`: a newer one is stored. */
export type StoreOutcome = 'counted' | 'again' | 'outdated';

type KeptAccounts = NonNullable<HolderSnapshot['accounts']>;

/**
 * Stores a snapshot. It is written in pieces, so that trades of the token never wait for long. The published
 * count does not change in the meantime. After a crash in between, the next snapshot starts again.
 */
export async function storeSnapshot(
  db: Database,
  mintAddress: string,
  snapshot: HolderSnapshot,
  now: Date,
): Promise<StoreOutcome> {
  const { accounts, accountCount } = snapshot;
  const begun = await begin(db, mintAddress, snapshot, now);
  if (begun === 'counted') await dropAll(db, mintAddress);
  if (begun !== 'merging' || accounts === null) return begun === 'merging' ? 'outdated' : begun;
  await merge(db, mintAddress, snapshot.slot, accounts);
  return db.begin(async (transaction) => {
    const row = await lockRow(transaction, mintAddress, now);
    if (row?.mergingSlot !== snapshot.slot || !row.isFollowed) return 'outdated';
    const holderCount = await recountHolders(transaction, mintAddress);
    const isLater = row.latestSlot !== null && row.latestSlot > snapshot.slot;
    const latestSlot = isLater ? row.latestSlot : snapshot.slot;
    const latestAt = isLater ? (row.latestAt ?? snapshot.at) : snapshot.at;
    await transaction`
      update holder_counting set snapshot_slot = ${snapshot.slot}, merging_slot = null, holder_count = ${holderCount},
        latest_slot = ${latestSlot}, latest_at = ${latestAt}, failures = 0,
        next_snapshot_at = ${after(now, snapshotPauseMs(accountCount, wasTraded(row)))}
      where mint_address = ${mintAddress}`;
    await storeChainCounts(transaction, [
      {
        mintAddress,
        holderCount,
        provenance: isLater ? 'live_trade_index' : 'onchain_snapshot',
        slot: String(latestSlot),
        asOf: latestAt.toISOString(),
      },
    ]);
    return 'counted';
  });
}

/** Records an attempt without a snapshot. The pause before the next one grows each time. */
export async function recordFailure(db: Database, mintAddress: string, now: Date): Promise<void> {
  const [row] = await db<{ failures: number }[]>`
    select failures from holder_counting where mint_address = ${mintAddress}`;
  const failures = (row?.failures ?? 0) + 1;
  await db.begin(
    (transaction) => transaction`
      update holder_counting set failures = ${failures}, next_snapshot_at = ${after(now, retryPauseMs(failures))}
      where mint_address = ${mintAddress}`,
  );
}

/** Decides by size whether accounts are stored. If not, the count is published here. */
function begin(
  db: Database,
  mintAddress: string,
  snapshot: HolderSnapshot,
  now: Date,
): Promise<StoreOutcome | 'merging'> {
  const { slot, accounts, protocolAccounts } = snapshot;
  return db.begin(async (transaction) => {
    const row = await lockRow(transaction, mintAddress, now);
    if (row === undefined || slot < row.requiredSlot || slot < countedThrough(row)) return 'outdated';
    await transaction`
      update holder_counting set protocol_accounts = ${protocolAccounts} where mint_address = ${mintAddress}`;
    if (accounts === null) return countOnly(transaction, row, snapshot, now);
    if (!row.isFollowed && accounts.size > FOLLOWED_AGAIN_MAX)
      return countOnly(transaction, row, { ...snapshot, holderCount: distinctOwners(snapshot) }, now);
    if (!row.isFollowed) {
      // Balances after this snapshot were not stored. The next snapshot has them, and the token is followed
      // from its slot on.
      await transaction`
        update holder_counting set is_followed = true, merging_slot = ${slot}, required_slot = seen_slot,
          next_snapshot_at = ${now}
        where mint_address = ${mintAddress}`;
      return 'again';
    }
    await transaction`update holder_counting set merging_slot = ${slot} where mint_address = ${mintAddress}`;
    return 'merging';
  });
}

async function countOnly(
  transaction: Transaction,
  row: HolderCounting,
  { slot, at, accountCount, holderCount }: HolderSnapshot,
  now: Date,
): Promise<StoreOutcome> {
  const { mintAddress } = row;
  if (row.latestSlot !== null && row.latestSlot > slot) {
    // The published count is newer than this slot. It is not updated from here on, until a later snapshot
    // replaces it.
    await transaction`
      update holder_counting set is_followed = false, required_slot = latest_slot, next_snapshot_at = ${now}
      where mint_address = ${mintAddress}`;
    return 'again';
  }
  await transaction`
    update holder_counting set is_followed = false, snapshot_slot = ${slot}, merging_slot = null, latest_slot = ${slot},
      latest_at = ${at}, holder_count = ${holderCount}, failures = 0,
      next_snapshot_at = ${after(now, snapshotPauseMs(accountCount, wasTraded(row)))}
    where mint_address = ${mintAddress}`;
  await storeChainCounts(transaction, [
    {
      mintAddress,
      holderCount: holderCount ?? 0,
      provenance: 'onchain_snapshot',
      slot: slot.toString(),
      asOf: at.toISOString(),
    },
  ]);
  return 'counted';
}

/** Whether it was traded after its last snapshot. */
function wasTraded({ seenSlot, snapshotSlot }: HolderCounting): boolean {
  return snapshotSlot === null || seenSlot > snapshotSlot;
}

function distinctOwners({ accounts, protocolAccounts }: HolderSnapshot): number {
  const protocol = new Set(protocolAccounts);
  const owners = new Set<string>();
  for (const [address, { owner }] of accounts ?? [])
    if (!protocol.has(owner) && !protocol.has(address)) owners.add(owner);
  return owners.size;
}

/** Makes the stored accounts those of the snapshot, except newer balances. Writes only differences. */
async function merge(db: Database, mintAddress: string, slot: bigint, accounts: KeptAccounts): Promise<void> {
  const missing = new Map(accounts);
  let last = '';
  for (;;) {
    const kept = await listAccounts(db, mintAddress, last, ROWS_PER_STATEMENT);
    const gone: string[] = [];
    for (const { accountAddress, ownerAddress, balanceRaw, slot: keptSlot } of kept) {
      const listed = accounts.get(accountAddress);
      const isEqual = listed?.owner === ownerAddress && listed.amountRaw === BigInt(balanceRaw);
      if (isEqual || keptSlot > slot) missing.delete(accountAddress);
      else if (listed === undefined) gone.push(accountAddress);
    }
    if (gone.length > 0)
      await withTokenLocked(db, mintAddress, (transaction) =>
        dropAccounts(transaction, mintAddress, gone, slot),
      );
    if (kept.length < ROWS_PER_STATEMENT) break;
    last = kept.at(-1)?.accountAddress ?? last;
  }
  const balances = [...missing].map(([accountAddress, { owner, amountRaw }]) => ({
    mintAddress,
    accountAddress,
    owner,
    amountRaw,
    slot,
    place: AFTER_ALL,
  }));
  for (let at = 0; at < balances.length; at += ROWS_PER_STATEMENT) {
    const piece = balances.slice(at, at + ROWS_PER_STATEMENT);
    await withTokenLocked(db, mintAddress, (transaction) => keepBalances(transaction, piece));
  }
}

/** Makes other writers of the token's balances wait: two writers in different orders would deadlock. */
async function withTokenLocked(
  db: Database,
  mintAddress: string,
  work: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  await db.begin(async (transaction) => {
    await lockTokens(transaction, [mintAddress]);
    await work(transaction);
  });
}

async function dropAll(db: Database, mintAddress: string): Promise<void> {
  const drop = () => db.begin((transaction) => dropUnfollowed(transaction, mintAddress, ROWS_PER_STATEMENT));
  while ((await drop()) === ROWS_PER_STATEMENT);
}

async function lockRow(
  transaction: Transaction,
  mintAddress: string,
  now: Date,
): Promise<HolderCounting | undefined> {
  const known = await lockTokens(transaction, [mintAddress]);
  return known.size === 0
    ? undefined
    : (await readCounting(transaction, [mintAddress], now)).get(mintAddress);
}

function after(now: Date, pauseMs: number): Date {
  return new Date(now.getTime() + pauseMs);
}
