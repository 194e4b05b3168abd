import { arrayText } from '../../db/array-text.ts';
import type { Transaction } from '../../db/client.ts';
import type { IndexedTrade } from '../market/indexed-trade.ts';
import type { FollowedSubjects } from './followed-subjects.ts';

/**
 * Queues the trades that somebody follows, in the transaction that stores them; their events are made later
 * (features/market/record-trade-events.ts). Returns their number.
 */
export async function queueFollowedTrades(
  transaction: Transaction,
  trades: readonly IndexedTrade[],
  followed: FollowedSubjects,
): Promise<number> {
  const matched = trades.flatMap((trade) => {
    const match = followed.match(trade);
    return match === null ? [] : [{ ...match, id: trade.id, slot: trade.slot }];
  });
  if (matched.length === 0) return 0;
  await transaction`
    insert into followed_trades (trade_id, slot, of_wallet, of_token)
    select * from unnest(
      ${arrayText(matched.map(({ id }) => id))}::uuid[], ${arrayText(matched.map(({ slot }) => slot))}::int8[],
      ${arrayText(matched.map(({ ofWallet }) => ofWallet))}::bool[],
      ${arrayText(matched.map(({ ofToken }) => ofToken))}::bool[])`;
  return matched.length;
}
