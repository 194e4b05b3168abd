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
    return match === null ? [] : [{ ...match, id: trade.id, slot: trade.slot.toString() }];
  });
  if (matched.length === 0) return 0;
  await transaction`
    insert into followed_trades (trade_id, slot, of_wallet, of_token)
    select id, slot, of_wallet = 1, of_token = 1 from unnest(
      ${matched.map(({ id }) => id)}::uuid[], ${matched.map(({ slot }) => slot)}::int8[],
      ${matched.map(({ ofWallet }) => Number(ofWallet))}::int4[],
      ${matched.map(({ ofToken }) => Number(ofToken))}::int4[]) as new (id, slot, of_wallet, of_token)`;
  return matched.length;
}
