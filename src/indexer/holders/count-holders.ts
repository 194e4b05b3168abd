import { highestSlot, type PacedHead } from '../../chain/head.ts';
import { UnusableNodeResponse } from '../../chain/holdings/mint-account-stream.ts';
import type { TokenHolderSource } from '../../chain/holdings/mint-holders.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { isAddress } from '../../shared/address.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { LabelledCounts } from '../../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { type HolderCount, storeHolderCounts } from '../store/holder-counts.ts';
import { lockTokens } from '../store/write-locks.ts';
import { TooManyOwners } from './owner-set.ts';
import { poolAuthorities } from './protocol-accounts.ts';
import { readSnapshot, type SnapshotRequest } from './read-snapshot.ts';
import { recordFailure, storeSnapshot } from './store-snapshot.ts';

/**
 * `again`: another snapshot is needed. `absent`: the mint does not exist yet. `failed`: no node returned a
 * usable list.
 */
export const countOutcomes = ['counted', 'again', 'absent', 'failed'] as const;
export type CountOutcome = (typeof countOutcomes)[number];

export interface HolderCountDependencies {
  db: Database;
  /** They are asked in this order. */
  sources: readonly TokenHolderSource[];
  chainHead: PacedHead;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
  /** Called after a commit, because caches of these tokens are stale then. */
  onTokensChanged(mintAddresses: readonly string[]): void;
  onCounted?(outcome: CountOutcome): void;
}

/** Tokens that become due together. At this rate all tokens of a year become due within a minute. */
const ADDED_MAX = 1_000;
/** More trades would load the database too much for an estimate. */
const REPLAYED_TRADES_MAX = 100_000;

interface DueToken {
  mintAddress: string;
  poolAddress: string | null;
  vaults: string[];
  slotMin: bigint;
}

/** Makes known tokens due that are not counted yet. Returns true when there may be more. */
export async function addTokens({
  db,
  clock,
}: Pick<HolderCountDependencies, 'db' | 'clock'>): Promise<boolean> {
  const { count } = await db.begin(
    (transaction) => transaction`
      insert into holder_counting (mint_address, protocol_accounts, next_snapshot_at)
      select t.mint_address, ${poolAuthorities as string[]}::text[], ${clock.now()} from tokens t
      where not exists (select from holder_counting c where c.mint_address = t.mint_address)
      limit ${ADDED_MAX} on conflict do nothing`,
  );
  return count === ADDED_MAX;
}

/**
 * Counts the holders of the token that has been due longest. Tokens that were never counted come first. Null
 * when none is due. Throws when the database is unavailable, and the token stays due.
 */
export async function countNext(dependencies: HolderCountDependencies): Promise<CountOutcome | null> {
  const { db, clock, onTokensChanged, onCounted } = dependencies;
  const token = await findDue(db, clock.now());
  if (token === null) return null;
  const outcome = isAddress(token.mintAddress) ? await count(dependencies, token) : 'absent';
  if (dependencies.signal.aborted && outcome !== 'counted') return outcome;
  if (outcome === 'failed') {
    const changed = await db.begin((transaction) => replayTrades(transaction, token.mintAddress));
    if (changed.length > 0) onTokensChanged(changed);
  }
  if (outcome === 'counted') onTokensChanged([token.mintAddress]);
  else if (outcome !== 'again') await recordFailure(db, token.mintAddress, clock.now());
  onCounted?.(outcome);
  return outcome;
}

/** Vaults are read from the whole row, because an older database does not have their columns yet. */
async function findDue(db: Database, now: Date): Promise<DueToken | null> {
  const [token] = await db<DueToken[]>`
    with added as (
      select mint_address from holder_counting
      where snapshot_slot is null and failures = 0 and next_snapshot_at <= ${now} order by next_snapshot_at limit 1
    ), longest as (
      select mint_address from holder_counting
      where next_snapshot_at <= ${now} and not exists (select from added) order by next_snapshot_at limit 1
    )
    select c.mint_address, t.pool_address, array(
        select jsonb_array_elements_text(named.vaults)
        from unnest(array[to_jsonb(t) -> 'staking_vaults', to_jsonb(t) -> 'tokenomics_vaults']) as named (vaults)
        where jsonb_typeof(named.vaults) = 'array') as vaults,
      greatest(c.required_slot, c.merging_slot, c.snapshot_slot, 0) as slot_min
    from (select * from added union all select * from longest) due
    join holder_counting c using (mint_address) join tokens t using (mint_address)`;
  return token ?? null;
}

/** Asks the nodes in order until one returns a usable list. */
async function count(dependencies: HolderCountDependencies, token: DueToken): Promise<CountOutcome> {
  const { sources, log, signal, chainHead } = dependencies;
  const { mintAddress } = token;
  const request: SnapshotRequest = {
    ...token,
    isPlausible(slot) {
      const highest = highestSlot(chainHead);
      return highest === null || slot <= highest;
    },
  };
  let nodesWithoutMint = 0;
  for (const source of sources) {
    if (signal.aborted) break;
    try {
      const outcome = await countAt(dependencies, source, request);
      if (outcome === 'counted' || outcome === 'again') return outcome;
      if (outcome === 'absent') nodesWithoutMint += 1;
    } catch (err) {
      if (!(err instanceof UnusableNodeResponse || err instanceof TooManyOwners)) throw err;
      if (!signal.aborted) log.warn({ err, node: source.name, mintAddress }, 'holders.node_unusable');
    }
  }
  // A node that lags may not know the mint yet. It is absent only when all nodes agree.
  return nodesWithoutMint > 0 && nodesWithoutMint === sources.length ? 'absent' : 'failed';
}

async function countAt(
  { db, clock, log, signal }: HolderCountDependencies,
  source: TokenHolderSource,
  request: SnapshotRequest,
): Promise<CountOutcome> {
  const { mintAddress } = request;
  const snapshot = await readSnapshot(source, request, signal);
  if (snapshot === null) return 'absent';
  const outcome = await storeSnapshot(db, mintAddress, snapshot, clock.now());
  if (outcome !== 'outdated') return outcome;
  log.info({ node: source.name, mintAddress, slot: snapshot.slot }, 'holders.snapshot_outdated');
  return 'failed';
}

/**
 * Counts the wallets that have bought more than they sold, for a token whose accounts no node lists
 * (contract/market-data#holder-stats). It counts only while all its trades are stored and no better count is
 * known. Returns the tokens whose count changed.
 */
async function replayTrades(transaction: Transaction, mintAddress: string): Promise<string[]> {
  await lockTokens(transaction, [mintAddress]);
  const [row] = await transaction<{ holders: number; slot: bigint; at: Date }[]>`
    with kept as (
      select trader_wallet, type, token_amount, slot, block_time from trades
      where mint_address = ${mintAddress} and not exists (select from trade_floor) and not exists (
        select from holder_counting c where c.mint_address = ${mintAddress} and c.holder_count is not null)
      limit ${REPLAYED_TRADES_MAX + 1}
    ), wallets as (
      select sum(case type when 'buy' then token_amount else -token_amount end) as balance,
        max(slot) as slot, max(block_time) as at, count(*) as trades
      from kept group by trader_wallet
    )
    select count(*) filter (where balance > 0)::int4 as holders, max(slot) as slot, max(at) as at from wallets
    having sum(trades) between 1 and ${REPLAYED_TRADES_MAX}`;
  if (row === undefined) return [];
  const count: HolderCount = {
    mintAddress,
    holderCount: row.holders,
    provenance: 'trade_replay',
    slot: row.slot.toString(),
    asOf: row.at.toISOString(),
  };
  return storeHolderCounts(transaction, [count]);
}

/** Counts snapshots of holders by outcome. */
export function countHolderSnapshots(metrics: ProcessMetrics): (outcome: CountOutcome) => void {
  const counts = new LabelledCounts(metrics, 'launchwire_holder_snapshots_total', {
    help: 'Reads of all accounts of a token to count its holders, by outcome',
    labels: ['outcome'],
    known: countOutcomes.map((outcome) => [outcome]),
  });
  return (outcome) => counts.add(outcome);
}
