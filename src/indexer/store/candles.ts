import { arrayText } from '../../db/array-text.ts';
import type { Transaction } from '../../db/client.ts';
import type { Candle } from '../market/fold-candles.ts';
import { paidPositions } from './bar-prices.ts';

/**
 * Merges bars into the stored ones by the same rule as `mergeCandles`, so late and unsorted trades give the
 * same candles as sorted ones. `least` and `greatest` ignore nulls, which a bar without prices of a kind has.
 * Positions compare byte by byte, whatever the collation of the database.
 */
export async function mergeCandlesInto(transaction: Transaction, bars: readonly Candle[]): Promise<void> {
  const column = (key: keyof Candle) => arrayText(bars.map((bar) => bar[key]));
  const paid = paidPositions(transaction);
  await transaction`
    insert into candles as c (mint_address, interval, open_time, open, high, low, close, volume_in_sol,
      volume_in_token, trade_count, open_position, close_position, spot_open, spot_high, spot_low, spot_close,
      spot_open_position, spot_close_position, buy_count, buy_volume_in_sol, buy_volume_in_token,
      paid_open_position, paid_close_position, market_high, market_low)
    select * from unnest(
      ${column('mintAddress')}::text[], ${column('interval')}::text[],
      ${column('openTime')}::timestamptz[],
      ${column('open')}::numeric[], ${column('high')}::numeric[], ${column('low')}::numeric[],
      ${column('close')}::numeric[], ${column('volumeInSol')}::numeric[], ${column('volumeInToken')}::numeric[],
      ${column('tradeCount')}::int4[], ${column('openPosition')}::text[], ${column('closePosition')}::text[],
      ${column('spotOpen')}::numeric[], ${column('spotHigh')}::numeric[], ${column('spotLow')}::numeric[],
      ${column('spotClose')}::numeric[], ${column('spotOpenPosition')}::text[],
      ${column('spotClosePosition')}::text[], ${column('buyCount')}::int4[],
      ${column('buyVolumeInSol')}::numeric[], ${column('buyVolumeInToken')}::numeric[],
      ${column('paidOpenPosition')}::text[], ${column('paidClosePosition')}::text[],
      ${column('marketHigh')}::numeric[], ${column('marketLow')}::numeric[])
    on conflict (mint_address, interval, open_time) do update set
      open = case when ${paid.first} <= excluded.paid_open_position then c.open else coalesce(excluded.open, c.open) end,
      paid_open_position = least(${paid.first}, excluded.paid_open_position),
      open_position = least(c.open_position collate "C", excluded.open_position),
      close = case when ${paid.last} >= excluded.paid_close_position then c.close else coalesce(excluded.close, c.close) end,
      paid_close_position = greatest(${paid.last}, excluded.paid_close_position),
      close_position = greatest(c.close_position collate "C", excluded.close_position),
      high = greatest(c.high, excluded.high),
      low = least(c.low, excluded.low),
      volume_in_sol = c.volume_in_sol + excluded.volume_in_sol,
      volume_in_token = c.volume_in_token + excluded.volume_in_token,
      trade_count = c.trade_count + excluded.trade_count,
      spot_open = case when c.spot_open_position <= excluded.spot_open_position collate "C" then c.spot_open
        else coalesce(excluded.spot_open, c.spot_open) end,
      spot_open_position = least(c.spot_open_position collate "C", excluded.spot_open_position),
      spot_close = case when c.spot_close_position >= excluded.spot_close_position collate "C" then c.spot_close
        else coalesce(excluded.spot_close, c.spot_close) end,
      spot_close_position = greatest(c.spot_close_position collate "C", excluded.spot_close_position),
      spot_high = greatest(c.spot_high, excluded.spot_high),
      spot_low = least(c.spot_low, excluded.spot_low),
      market_high = greatest(c.market_high, excluded.market_high),
      market_low = least(c.market_low, excluded.market_low),
      buy_count = c.buy_count + excluded.buy_count,
      buy_volume_in_sol = c.buy_volume_in_sol + excluded.buy_volume_in_sol,
      buy_volume_in_token = c.buy_volume_in_token + excluded.buy_volume_in_token`;
}
