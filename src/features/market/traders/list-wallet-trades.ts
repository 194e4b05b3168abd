import type { Queryable } from '../../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import {
  BEFORE_ALL,
  positionOf,
  type TradePosition,
  type TradeRow,
  toTrade,
  tradeColumns,
} from '../list-trades.ts';
import type { Trade } from '../schema.ts';

export interface WalletTradePage extends KeysetPage<Trade, TradePosition> {
  /** The earliest of the times through which the tokens of the page are known; null without trades. */
  asOf: Date | null;
}

type Row = TradeRow & { mintAddress: string; isHidden: boolean; knownThrough: Date };

/**
 * Lists the trades of a wallet in all tokens, newest first in chain order, by one range of the index
 * `trades_wallet`. Trades of hidden tokens are left out of their page.
 */
export async function listWalletTrades(
  db: Queryable,
  wallet: string,
  { limit, after = BEFORE_ALL }: { limit: number; after?: TradePosition | undefined },
): Promise<WalletTradePage> {
  const [slot, transactionIndex, outerIndex, innerIndex, id] = after;
  const rows = await db<Row[]>`
    select w.*, t.hidden as is_hidden, coalesce(s.through, m.as_of) as known_through
    from (
      select mint_address, ${tradeColumns(db)} from trades
      where trader_wallet = ${wallet} and slot <= ${slot}::int8
        and (slot, transaction_index, outer_index, inner_index, id)
          < (${slot}::int8, ${transactionIndex}::int4, ${outerIndex}::int4, ${innerIndex}::int4, ${id}::uuid)
      order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc
      limit ${limit + 1}) w
    join tokens t using (mint_address) join token_markets m using (mint_address)
    left join source_proofs s using (mint_address)
    order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc`;
  const { items, next } = keysetPage(rows, limit, (row) => row, positionOf);
  const shown = items.filter(({ isHidden }) => !isHidden);
  const times = shown.map(({ knownThrough }) => knownThrough.getTime());
  return {
    items: shown.map((row) => toTrade(row.mintAddress, row)),
    next,
    asOf: times.length === 0 ? null : new Date(Math.min(...times)),
  };
}
