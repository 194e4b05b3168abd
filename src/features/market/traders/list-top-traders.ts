import type { Queryable } from '../../../db/client.ts';
import { type MarketTimes, marketAsOf, marketTimes } from '../proven-time.ts';
import { TOP_MAX, type TopTraders } from './schema.ts';
import { type TraderRow, toFigures, traderColumns } from './trader-rows.ts';

type Row = MarketTimes & { isComplete: boolean } & (
    | (TraderRow & { traderWallet: string })
    | { traderWallet: null }
  );

/** Lists the wallets with the largest realised result in a visible token, by an index of gains; null for any other mint. */
export async function listTopTraders(db: Queryable, mintAddress: string): Promise<TopTraders | null> {
  const rows = await db<Row[]>`
    select ${marketTimes(db, mintAddress)}, r.*,
      not exists (select from trader_recounts c where c.mint_address = k.mint_address) as is_complete
    from (select mint_address from visible_tokens where mint_address = ${mintAddress}) k
    join token_markets m using (mint_address) left join source_proofs s using (mint_address)
    left join lateral (
      select t.trader_wallet, t.realised_in_sol, ${traderColumns(db)} from token_traders t
      where t.mint_address = ${mintAddress} and t.realised_in_sol > 0
      order by t.realised_in_sol desc limit ${TOP_MAX}) r on true
    order by r.realised_in_sol desc, r.trader_wallet collate "C"`;
  const [first] = rows;
  if (first === undefined) return null;
  return {
    mintAddress,
    asOf: marketAsOf(first).toISOString(),
    complete: first.isComplete,
    data: rows.flatMap((row) =>
      row.traderWallet === null ? [] : [{ traderWallet: row.traderWallet, ...toFigures(row) }],
    ),
  };
}
