import type { Queryable } from '../../db/client.ts';
import { marketPrices } from './bar-prices.ts';

type Fragment = ReturnType<Queryable>;

interface LastBar {
  mint: Fragment;
  interval: Fragment;
  before: Fragment;
  /** The price that trades paid, or the market's. */
  price: 'paid' | 'market';
}

/**
 * SQL: `close` of the last bar of a token before a time that has such a price. Null if there is none. Many
 * bars in a row may lack a price, because a trade without a price costs next to nothing. So only the bars of
 * one day are searched, and earlier days are found by their own bars.
 */
export function closeBefore(db: Queryable, { mint, interval, before, price }: LastBar): Fragment {
  const close = price === 'paid' ? db`c.close` : marketPrices(db).close;
  const isPriced =
    price === 'paid' ? db`c.close is not null` : db`coalesce(c.close, c.spot_close) is not null`;
  const bars = (of: Fragment) =>
    db`candles c where c.mint_address = ${mint} and c.interval = ${of} and ${isPriced}`;
  const day = db`date_bin('1 day', ${before}, '1970-01-01Z')`;
  return db`select coalesce(
    (select ${close} from ${bars(interval)} and c.open_time >= ${day} and c.open_time < ${before}
      order by c.open_time desc limit 1),
    (select last.close
      from (select c.open_time as starts from ${bars(db`'1d'`)} and c.open_time < ${day} order by c.open_time desc limit 1) d
      cross join lateral (select ${close} as close from ${bars(interval)} and c.open_time >= d.starts
        and c.open_time < d.starts + interval '1 day' order by c.open_time desc limit 1) last)) as close`;
}
