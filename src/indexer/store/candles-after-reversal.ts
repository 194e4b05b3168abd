import type { Transaction } from '../../db/client.ts';
import { candleIntervals } from '../../db/values/trades.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import {
  bucketStart,
  type Candle,
  type CandleInterval,
  foldMinutes,
  intervalMs,
  mergeInto,
} from '../market/fold-candles.ts';
import type { IndexedTrade } from '../market/indexed-trade.ts';
import type { TokenDecimals } from '../market/trade-price.ts';
import { mergeCandlesInto } from './candles.ts';

/** A bucket whose bar includes a reverted trade. */
interface Bucket {
  mintAddress: string;
  openTime: Date;
}

/**
 * Rewrites the bars of all six intervals in which trades were deleted. Only minutes are made from trades.
 * Every longer bar is merged from bars of the next shorter interval, at most six, so a busy day costs no more
 * than a quiet one. The caller holds the lock against writers of trades.
 */
export async function rewriteCandles(
  transaction: Transaction,
  deleted: readonly Pick<IndexedTrade, 'mintAddress' | 'blockTime'>[],
): Promise<void> {
  if (deleted.length === 0) return;
  let shorter: CandleInterval | null = null;
  for (const interval of candleIntervals) {
    const buckets = bucketsOf(interval, deleted);
    const bars =
      shorter === null
        ? await foldRemaining(transaction, buckets)
        : mergeInto(interval, await readBars(transaction, shorter, interval, buckets));
    await deleteBars(transaction, interval, buckets);
    await mergeCandlesInto(transaction, bars);
    shorter = interval;
  }
}

function bucketsOf(
  interval: CandleInterval,
  trades: readonly Pick<IndexedTrade, 'mintAddress' | 'blockTime'>[],
): Bucket[] {
  const buckets = new Map<string, Bucket>();
  for (const { mintAddress, blockTime } of trades) {
    const openTime = bucketStart(interval, blockTime);
    buckets.set(`${mintAddress} ${openTime.getTime()}`, { mintAddress, openTime });
  }
  return [...buckets.values()];
}

const keys = (buckets: readonly Bucket[]) =>
  [
    buckets.map(({ mintAddress }) => mintAddress),
    buckets.map(({ openTime }) => openTime.toISOString()),
  ] as const;

/** The bars of these minutes without the reverted trades. */
async function foldRemaining(transaction: Transaction, buckets: readonly Bucket[]): Promise<Candle[]> {
  const trades = await readTrades(transaction, buckets);
  const tokens: TokenDecimals = new Map(
    trades.map(({ mintAddress, decimals }) => [mintAddress, { decimals }]),
  );
  return foldMinutes(trades, tokens);
}

/**
 * The remaining trades in these minutes. No index has the block time. The stored bar holds the first and last
 * slot of its trades, which are a range of `trades_chain_order`.
 */
async function readTrades(
  transaction: Transaction,
  buckets: readonly Bucket[],
): Promise<(IndexedTrade & { decimals: number })[]> {
  const [mints, openTimes] = keys(buckets);
  const rows = await transaction<(IndexedTrade & { decimals: number })[]>`
    select t.id, t.mint_address, t.type, t.trader_wallet, t.sol_amount, t.token_amount, t.price_per_token_in_sol,
      t.spot_price_in_sol, t.liquidity_in_sol, t.on_curve, t.slot, t.transaction_index, t.outer_index, t.inner_index, t.block_time,
      t.transaction_signature, k.decimals
    from unnest(${mints}::text[], ${openTimes}::timestamptz[]) as b (mint_address, open_time)
    join tokens k on k.mint_address = b.mint_address
    join candles c on c.mint_address = b.mint_address and c.interval = '1m' and c.open_time = b.open_time
    join trades t on t.mint_address = b.mint_address
      and t.slot between split_part(c.open_position, ':', 1)::int8 and split_part(c.close_position, ':', 1)::int8
      and t.block_time >= b.open_time and t.block_time < b.open_time + interval '1 minute'`;
  return rows.map((row) => ({
    ...row,
    solAmount: normaliseDecimal(row.solAmount),
    tokenAmount: normaliseDecimal(row.tokenAmount),
    pricePerTokenInSol: normaliseDecimal(row.pricePerTokenInSol),
    spotPriceInSol: normaliseNullable(row.spotPriceInSol),
  }));
}

/** The bars of the interval `shorter` inside these buckets of `interval`. */
async function readBars(
  transaction: Transaction,
  shorter: CandleInterval,
  interval: CandleInterval,
  buckets: readonly Bucket[],
): Promise<Candle[]> {
  const [mints, openTimes] = keys(buckets);
  const rows = await transaction<Candle[]>`
    select c.mint_address, c.interval, c.open_time, c.open, c.high, c.low, c.close, c.volume_in_sol, c.volume_in_token,
      c.trade_count, c.open_position, c.close_position, c.paid_open_position, c.paid_close_position, c.market_high,
      c.market_low, c.spot_open, c.spot_high, c.spot_low, c.spot_close,
      c.spot_open_position, c.spot_close_position, c.buy_count, c.buy_volume_in_sol, c.buy_volume_in_token
    from unnest(${mints}::text[], ${openTimes}::timestamptz[]) as b (mint_address, open_time)
    join candles c on c.mint_address = b.mint_address and c.interval = ${shorter} and c.open_time >= b.open_time
      and c.open_time < b.open_time + ${intervalMs[interval]} * interval '1 millisecond'`;
  return rows.map((row) => ({
    ...row,
    open: normaliseNullable(row.open),
    high: normaliseNullable(row.high),
    low: normaliseNullable(row.low),
    close: normaliseNullable(row.close),
    volumeInSol: normaliseDecimal(row.volumeInSol),
    volumeInToken: normaliseDecimal(row.volumeInToken),
    buyVolumeInSol: normaliseDecimal(row.buyVolumeInSol),
    buyVolumeInToken: normaliseDecimal(row.buyVolumeInToken),
    marketHigh: normaliseNullable(row.marketHigh),
    marketLow: normaliseNullable(row.marketLow),
    spotOpen: normaliseNullable(row.spotOpen),
    spotHigh: normaliseNullable(row.spotHigh),
    spotLow: normaliseNullable(row.spotLow),
    spotClose: normaliseNullable(row.spotClose),
  }));
}

const normaliseNullable = (value: string | null) => (value === null ? null : normaliseDecimal(value));

async function deleteBars(
  transaction: Transaction,
  interval: CandleInterval,
  buckets: readonly Bucket[],
): Promise<void> {
  const [mints, openTimes] = keys(buckets);
  await transaction`
    delete from candles c using unnest(${mints}::text[], ${openTimes}::timestamptz[]) as b (mint_address, open_time)
    where c.mint_address = b.mint_address and c.interval = ${interval} and c.open_time = b.open_time`;
}
