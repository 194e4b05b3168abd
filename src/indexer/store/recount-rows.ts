import type { Transaction } from '../../db/client.ts';
import type { TraderKey } from '../market/trader.ts';
import { columnsOf } from './trader-rows.ts';

/** Later than every slot: the base of the pair has all trades up to its end. */
export const NO_SLOT = 9_223_372_036_854_775_807n;

/** A pair that waits to be computed again, as a row of `trader_recounts`. */
export interface QueuedRecount extends TraderKey {
  /** The first slot that its computation reads, or `NO_SLOT` if it goes on from its base. */
  fromSlot: bigint;
}

/** Adds pairs to the queue. A pair that waits already keeps the earlier slot. */
export async function queueRecounts(
  transaction: Transaction,
  recounts: readonly QueuedRecount[],
): Promise<void> {
  if (recounts.length === 0) return;
  const { mints, wallets } = columnsOf(recounts);
  await transaction`
    insert into trader_recounts as r (mint_address, trader_wallet, from_slot)
    select * from unnest(${mints}::text[], ${wallets}::text[], ${recounts.map(({ fromSlot }) => fromSlot.toString())}::int8[])
    on conflict (mint_address, trader_wallet) do update set from_slot = least(r.from_slot, excluded.from_slot)`;
}

/** Removes pairs from the queue. */
export async function finishRecounts(transaction: Transaction, pairs: readonly TraderKey[]): Promise<void> {
  if (pairs.length === 0) return;
  const { mints, wallets } = columnsOf(pairs);
  await transaction`
    delete from trader_recounts r using unnest(${mints}::text[], ${wallets}::text[]) as p (mint_address, trader_wallet)
    where r.mint_address = p.mint_address and r.trader_wallet = p.trader_wallet`;
}
