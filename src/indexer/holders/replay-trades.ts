import type { Transaction } from '../../db/client.ts';
import { type HolderCount, storeHolderCounts } from '../store/holder-counts.ts';
import { lockTokens } from '../store/write-locks.ts';

/** More trades would load the database too much for an estimate. */
const TRADES_MAX = 100_000;

/**
 * Counts the wallets that have bought more than they sold, for a token whose accounts no node lists
 * (contract/market-data#holder-stats). Only while all its trades are stored and no better count is known.
 * Returns the tokens whose count changed.
 */
export async function replayTrades(transaction: Transaction, mintAddress: string): Promise<string[]> {
  await lockTokens(transaction, [mintAddress]);
  const [row] = await transaction<{ holders: number; slot: bigint; at: Date }[]>`
    with kept as (
      select trader_wallet, type, token_amount, slot, block_time from trades
      where mint_address = ${mintAddress} and not exists (select from trade_floor) and not exists (
        select from holder_counting c where c.mint_address = ${mintAddress} and c.holder_count is not null)
      limit ${TRADES_MAX + 1}
    ), wallets as (
      select sum(case type when 'buy' then token_amount else -token_amount end) as balance,
        max(slot) as slot, max(block_time) as at, count(*) as trades
      from kept group by trader_wallet
    )
    select count(*) filter (where balance > 0)::int4 as holders, max(slot) as slot, max(at) as at from wallets
    having sum(trades) between 1 and ${TRADES_MAX}`;
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
