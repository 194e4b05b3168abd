import { arrayText } from '../../db/array-text.ts';
import type { Database, Transaction } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ChainTransaction } from '../decode/chain-transaction.ts';
import { tokenAccountOwners } from '../decode/token-account-owners.ts';
import { type HolderCount, storeChainCounts } from '../store/holder-counts.ts';
import { lockTokens } from '../store/write-locks.ts';
import { type AccountBalance, keepBalances } from './account-rows.ts';
import {
  countedThrough,
  countHolding,
  type HolderCounting,
  isPublished,
  readCounting,
} from './counting-rows.ts';

export interface BalanceDependencies {
  db: Database;
  clock: Clock;
  /** Called after a commit, because caches of these tokens are stale then. */
  onTokensChanged(mintAddresses: readonly string[]): void;
}

/** A transaction and its index in its block. The content is null when it failed. */
export interface BalanceTransaction {
  transactionIndex: number;
  transaction: ChainTransaction | null;
}

interface TimedBalance extends AccountBalance {
  at: Date | null;
}

/**
 * Updates the count of holders from the balances after transactions (contract/market-data#holder-counting).
 * The same transactions may come again, in any order, by any pool: for each token account the newest balance
 * counts.
 */
export async function applyBalances(
  { db, clock, onTokensChanged }: BalanceDependencies,
  { transactions }: { transactions: readonly BalanceTransaction[] },
): Promise<void> {
  const balances = newestBalances(transactions);
  if (balances.length === 0) return;
  const mints = [...new Set(balances.map(({ mintAddress }) => mintAddress))];
  const changed = await db.begin(async (transaction) => {
    const known = await lockTokens(transaction, mints);
    if (known.size === 0) return [];
    const ofTokens = balances.filter(({ mintAddress }) => known.has(mintAddress));
    const counting = await readCounting(transaction, [...known.keys()], clock.now());
    return applyToTokens(transaction, ofTokens, counting, clock.now());
  });
  if (changed.length > 0) onTokensChanged(changed);
}

/** Returns the tokens whose published count has changed. */
async function applyToTokens(
  transaction: Transaction,
  balances: readonly TimedBalance[],
  counting: ReadonlyMap<string, HolderCounting>,
  now: Date,
): Promise<string[]> {
  const fresh = balances.filter(({ mintAddress, slot }) => {
    const row = counting.get(mintAddress);
    return row?.isFollowed === true && slot > countedThrough(row);
  });
  const deltas = fresh.length === 0 ? new Map<string, number>() : await keepAndCompare(transaction, fresh);
  const [seenOf, freshOf] = [byMint(balances), byMint(fresh)];
  const advances = [...counting.values()].map((row) => {
    const { mintAddress } = row;
    const [seen, fresh] = [seenOf.get(mintAddress) ?? [], freshOf.get(mintAddress) ?? []];
    return advance(row, seen, fresh, deltas.get(mintAddress) ?? 0);
  });
  const counts = advances.flatMap(({ count }) => (count === null ? [] : [count]));
  await Promise.all([
    storeAdvances(transaction, advances, now),
    counts.length === 0 ? null : storeChainCounts(transaction, counts),
  ]);
  return advances.filter(({ hasChanged }) => hasChanged).map(({ mintAddress }) => mintAddress);
}

function byMint(balances: readonly TimedBalance[]): Map<string, TimedBalance[]> {
  return Map.groupBy(balances, ({ mintAddress }) => mintAddress);
}

/** The change of the number of holders by these balances, by mint. */
async function keepAndCompare(
  transaction: Transaction,
  balances: readonly TimedBalance[],
): Promise<Map<string, number>> {
  const before = await transaction<{ mintAddress: string; ownerAddress: string }[]>`
    select h.mint_address, h.owner_address from holder_accounts h
    join unnest(${balances.map(({ mintAddress }) => mintAddress)}::text[],
      ${balances.map(({ accountAddress }) => accountAddress)}::text[]) as given (mint_address, account_address)
      using (mint_address, account_address)`;
  const mints = [...before, ...balances].map(({ mintAddress }) => mintAddress);
  const owners = [...before.map(({ ownerAddress }) => ownerAddress), ...balances.map(({ owner }) => owner)];
  const [holdersBefore, , holdersAfter] = await Promise.all([
    countHolding(transaction, mints, owners),
    keepBalances(transaction, balances),
    countHolding(transaction, mints, owners),
  ]);
  return new Map(
    [...new Set(mints)].map((mint) => [mint, (holdersAfter.get(mint) ?? 0) - (holdersBefore.get(mint) ?? 0)]),
  );
}

/** The state of counting a token after new balances, and its published count if that is written again. */
interface CountingAdvance extends Pick<HolderCounting, 'mintAddress' | 'holderCount' | 'latestAt'> {
  seenSlot: bigint;
  latestSlot: bigint | null;
  /** Whether these are the first balances of the token. */
  isFirst: boolean;
  count: HolderCount | null;
  hasChanged: boolean;
}

/** @param delta the change of the number of holders */
function advance(
  row: HolderCounting,
  seen: readonly TimedBalance[],
  fresh: readonly TimedBalance[],
  delta: number,
): CountingAdvance {
  const seenSlot = newestSlot(seen, row.seenSlot);
  const latestSlot = newestSlot(fresh, row.latestSlot ?? -1n);
  const latestAt = newestTime(fresh, row.latestAt);
  const isCounted = isPublished(row) && row.holderCount !== null && latestAt !== null;
  const holderCount = isCounted ? (row.holderCount ?? 0) + delta : row.holderCount;
  const { mintAddress } = row;
  const isWritten = isCounted && holderCount !== null && fresh.length > 0;
  return {
    mintAddress,
    holderCount,
    seenSlot,
    latestSlot: latestSlot < 0n ? null : latestSlot,
    latestAt,
    isFirst: row.snapshotSlot === null && row.seenSlot === 0n,
    count: isWritten
      ? {
          mintAddress,
          holderCount,
          provenance: latestSlot > (row.snapshotSlot ?? -1n) ? 'live_trade_index' : 'onchain_snapshot',
          slot: latestSlot.toString(),
          asOf: latestAt.toISOString(),
        }
      : null,
    hasChanged: isWritten && delta !== 0,
  };
}

async function storeAdvances(
  transaction: Transaction,
  advances: readonly CountingAdvance[],
  now: Date,
): Promise<void> {
  const column = (key: Exclude<keyof CountingAdvance, 'count' | 'hasChanged'>) =>
    arrayText(advances.map((one) => one[key]));
  await transaction`
    update holder_counting c set seen_slot = a.seen_slot, holder_count = a.holder_count, latest_slot = a.latest_slot,
      latest_at = a.latest_at,
      next_snapshot_at = case when a.is_first then least(c.next_snapshot_at, ${now}) else c.next_snapshot_at end
    from unnest(${column('mintAddress')}::text[], ${column('seenSlot')}::int8[], ${column('holderCount')}::int4[],
      ${column('latestSlot')}::int8[], ${column('latestAt')}::timestamptz[], ${column('isFirst')}::bool[])
      as a (mint_address, seen_slot, holder_count, latest_slot, latest_at, is_first)
    where c.mint_address = a.mint_address`;
}

function newestSlot(balances: readonly TimedBalance[], from: bigint): bigint {
  let newest = from;
  for (const { slot } of balances) if (slot > newest) newest = slot;
  return newest;
}

function newestTime(balances: readonly TimedBalance[], from: Date | null): Date | null {
  return balances.reduce(
    (newest, { at }) => (at !== null && (newest === null || at > newest) ? at : newest),
    from,
  );
}

/**
 * The last balance of each token account and mint. An account whose owner no node reports waits for the next snapshot.
 */
function newestBalances(transactions: readonly BalanceTransaction[]): TimedBalance[] {
  const newest = new Map<string, TimedBalance>();
  for (const { transaction, transactionIndex } of transactions) {
    if (transaction === null || transaction.failed || transaction.tokenBalances.length === 0) continue;
    const owners = tokenAccountOwners(transaction);
    const seconds = transaction.blockTimeSeconds;
    for (const { accountAddress, mintAddress, afterRaw } of transaction.tokenBalances) {
      const amountRaw = afterRaw ?? 0n;
      // An empty account has no holder, so its owner does not matter.
      const owner = owners.get(accountAddress) ?? (amountRaw === 0n ? accountAddress : undefined);
      if (owner === undefined) continue;
      const at = seconds === null ? null : new Date(Number(seconds) * 1000);
      const { slot } = transaction;
      const key = `${mintAddress} ${accountAddress}`;
      const known = newest.get(key);
      if (
        known !== undefined &&
        (known.slot > slot || (known.slot === slot && known.place >= transactionIndex))
      )
        continue;
      newest.set(key, {
        mintAddress,
        accountAddress,
        owner,
        amountRaw,
        slot,
        place: transactionIndex,
        at,
      });
    }
  }
  return [...newest.values()];
}
