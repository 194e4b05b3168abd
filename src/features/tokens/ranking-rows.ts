import type { Transaction } from '../../db/client.ts';
import { marketPrices } from '../../indexer/store/bar-prices.ts';
import { closeBefore } from '../../indexer/store/close-before.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MINUTES = 24 * 60;

/**
 * The beginnings of the windows of an hour and a day that end now: whole minutes, of which the present one is the
 * last (contract/tokens#windows).
 */
export function windowsAt(asOf: Date) {
  const lastMinuteMs = Math.floor(asOf.getTime() / MINUTE_MS) * MINUTE_MS;
  const dayFromMs = lastMinuteMs - (DAY_MINUTES - 1) * MINUTE_MS;
  return {
    hourFrom: new Date(lastMinuteMs - 59 * MINUTE_MS),
    dayFrom: new Date(dayFromMs),
    /** The first whole hour of the day's window: the part before it is read minute by minute. */
    firstHour: new Date(Math.ceil(dayFromMs / HOUR_MS) * HOUR_MS),
  };
}

/**
 * Computes what these tokens are sorted by from their trades, for windows that end at `asOf`. Every value is
 * computed from stored facts alone, so it may be repeated. Rows that stay the same are not written. Returns the
 * number of rows that changed.
 */
export async function rankTokens(
  transaction: Transaction,
  mints: readonly string[],
  asOf: Date,
): Promise<number> {
  if (mints.length === 0) return 0;
  const { hourFrom, dayFrom, firstHour } = windowsAt(asOf);
  const market = marketPrices(transaction);
  const ranked = await transaction`
    insert into token_rankings as r (mint_address, ordinal, status, launch_type, listed, market_cap_in_sol,
      volume_in_sol_24h, trade_count_1h, price_change_percent_1h, graduation_progress, last_trade_at, due_at)
    select t.mint_address, t.ordinal, t.status, t.launch_type, t.listed and not t.hidden,
      coalesce(nullif(trunc(m.price_in_sol, 18), 0) * t.total_supply, '-Infinity'),
      coalesce(early.volume, 0) + coalesce(late.volume, 0), coalesce(hour.trades, 0),
      coalesce(div((price.close - price.open) * 100000000, nullif(price.open, 0)) * 0.000001, '-Infinity'),
      coalesce(${progressOf(transaction)}, '-Infinity'), coalesce(last.block_time, '-infinity'),
      least(hour.first + interval '1 hour', early.first + interval '1 day', late.first + interval '1 day')
    from unnest(${mints as string[]}::text[]) as wanted (mint_address)
    join tokens t using (mint_address)
    left join token_markets m using (mint_address)
    left join token_pools p on p.pool_address = t.pool_address and p.mint_address = t.mint_address
    cross join lateral (
      select sum(trade_count)::int4 as trades, min(open_time) as first,
        (array_agg(${market.open} order by ${market.first}) filter (where ${market.first} is not null))[1] as open,
        (array_agg(${market.close} order by ${market.last} desc) filter (where ${market.last} is not null))[1] as close
      from candles c
      where c.mint_address = t.mint_address and c.interval = '1m' and c.open_time >= ${hourFrom}) hour
    cross join lateral (${closeBefore(transaction, {
      mint: transaction`t.mint_address`,
      interval: transaction`'1m'`,
      before: transaction`${hourFrom}::timestamptz`,
      price: 'market',
    })}) before
    cross join lateral (
      select coalesce(before.close, hour.open) as open, coalesce(hour.close, before.close) as close) price
    cross join lateral (
      select sum(volume_in_sol) as volume, min(open_time) as first from candles c
      where c.mint_address = t.mint_address and c.interval = '1m'
        and c.open_time >= ${dayFrom} and c.open_time < ${firstHour}) early
    cross join lateral (
      select sum(volume_in_sol) as volume, min(open_time) as first from candles c
      where c.mint_address = t.mint_address and c.interval = '1h' and c.open_time >= ${firstHour}) late
    left join lateral (
      select block_time from trades d where d.mint_address = t.mint_address
      order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc limit 1) last on true
    order by t.mint_address
    on conflict (mint_address) do update set
      (status, launch_type, listed, market_cap_in_sol, volume_in_sol_24h, trade_count_1h, price_change_percent_1h,
        graduation_progress, last_trade_at, due_at)
      = (${valuesOf(transaction, 'excluded')})
    where (${valuesOf(transaction, 'r')}) is distinct from (${valuesOf(transaction, 'excluded')})`;
  return ranked.count;
}

/** SQL: every value of a row that may change. */
function valuesOf(transaction: Transaction, row: 'r' | 'excluded') {
  const of = transaction(row);
  return transaction`
    ${of}.status, ${of}.launch_type, ${of}.listed, ${of}.market_cap_in_sol, ${of}.volume_in_sol_24h,
    ${of}.trade_count_1h, ${of}.price_change_percent_1h, ${of}.graduation_progress, ${of}.last_trade_at, ${of}.due_at`;
}

/**
 * SQL: the part of its threshold that a curve has collected, as statistics publish it
 * (contract/market-data#graduation-progress); null while it is unknown. A sum of trades counts fees, and is no reserve.
 */
function progressOf(transaction: Transaction) {
  return transaction`case
    when t.curve_stage in ('completed', 'migrated') or t.status in ('graduated', 'graduating_migration_pending') then 1
    when t.pool_address is null or p.program <> 'dbc' then null
    when p.graduation_threshold_in_sol is null or m.collected_position = '' and m.sol_collected_in_sol > 0 then null
    else least(1, div(greatest(m.sol_collected_in_sol, 0) * 1000000000000000000, p.graduation_threshold_in_sol)
      * 0.000000000000000001) end`;
}

/** Tokens of whose windows a trade has left by `asOf`, the longest overdue first. */
export async function findDecayed(transaction: Transaction, asOf: Date, limit: number): Promise<string[]> {
  const rows = await transaction<{ mintAddress: string }[]>`
    select mint_address from token_rankings where due_at <= ${asOf} order by due_at limit ${limit}`;
  return rows.map(({ mintAddress }) => mintAddress);
}
