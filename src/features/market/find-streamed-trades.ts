import type { Queryable } from '../../db/client.ts';
import { type TradeRow, toTrade, tradeColumns } from './list-trades.ts';
import type { Trade } from './schema.ts';

/** Trades of visible tokens by id and slot, each by its key; reverted ones are absent. */
export async function findStreamedTrades(
  db: Queryable,
  refs: readonly { id: string; slot: bigint }[],
): Promise<Map<string, Trade>> {
  if (refs.length === 0) return new Map();
  const rows = await db<(TradeRow & { mintAddress: string })[]>`
    select t.* from unnest(${refs.map(({ id }) => id)}::uuid[], ${refs.map(({ slot }) => String(slot))}::int8[])
      as r (wanted, at_slot)
    cross join lateral (select mint_address, ${tradeColumns(db)} from trades where id = r.wanted and slot = r.at_slot) t
    join visible_tokens k using (mint_address)`;
  return new Map(rows.map((row) => [row.id, toTrade(row.mintAddress, row)]));
}

/**
 * The newest trades of visible tokens, oldest first, except those in the log of streams after `position`: a
 * stream that begins there sends them itself.
 */
export async function findNewestTrades(
  db: Queryable,
  mints: readonly string[],
  position: bigint,
  limit: number,
): Promise<Map<string, Trade[]>> {
  const newest = new Map<string, Trade[]>();
  if (mints.length === 0) return newest;
  const rows = await db<(TradeRow & { mintAddress: string })[]>`
    select k.mint_address, t.*
    from visible_tokens k cross join lateral (
      select ${tradeColumns(db)} from trades
      where mint_address = k.mint_address and id not in (
        select ref from stream_log where stream_log.id > ${position} and kind = 'trade' and ref is not null)
      order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc limit ${limit}) t
    where k.mint_address = any(${mints as string[]})
    order by k.mint_address, t.slot, t.transaction_index, t.outer_index, t.inner_index, t.id`;
  for (const row of rows) {
    const list = newest.get(row.mintAddress) ?? [];
    list.push(toTrade(row.mintAddress, row));
    newest.set(row.mintAddress, list);
  }
  return newest;
}
