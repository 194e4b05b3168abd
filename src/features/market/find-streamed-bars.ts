import type { Queryable } from '../../db/client.ts';
import { bucketStart, type CandleInterval, intervalMs } from '../../indexer/market/fold-candles.ts';
import { closeBefore } from '../../indexer/store/close-before.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import { fillSeries } from './candle-series.ts';
import { type BarRow, toBar } from './list-candles.ts';
import type { StreamedBar } from './schema.ts';

interface StreamedRow {
  mintAddress: string;
  interval: CandleInterval;
  bucket: Date;
  provenThrough: Date | null;
  previousClose: string | null;
}

/**
 * Bars of visible tokens by bucket, as `listTokenCandles` shows them with `price=trade`. A bucket without
 * trades gets a bar once it has ended, if there was a price before it.
 */
export async function findStreamedBars(
  db: Queryable,
  refs: readonly { mintAddress: string; interval: CandleInterval; openTime: Date }[],
): Promise<StreamedBar[]> {
  if (refs.length === 0) return [];
  const rows = await db<(StreamedRow & (BarRow | { openTime: null }))[]>`
    select r.mint_address, r.interval, r.bucket, s.through as proven_through, p.close as previous_close, c.open_time,
      c.open, c.high, c.low, c.close, c.volume_in_sol, c.volume_in_token, c.trade_count
    from unnest(${refs.map(({ mintAddress }) => mintAddress)}::text[], ${refs.map(({ interval }) => interval)}::text[],
      ${refs.map(({ openTime }) => openTime.toISOString())}::timestamptz[]) as r (mint_address, interval, bucket)
    join visible_tokens t using (mint_address)
    left join source_proofs s using (mint_address)
    left join candles c on c.mint_address = r.mint_address and c.interval = r.interval and c.open_time = r.bucket
    left join lateral (${closeBefore(db, {
      mint: db`r.mint_address`,
      interval: db`r.interval`,
      before: db`r.bucket`,
      price: 'paid',
    })}) p
      on c.close is null
    order by r.bucket`;
  return rows.flatMap((row) => toStreamedBar(row) ?? []);
}

/** The newest two bars of each series, oldest first: usually the last closed one and the current one. */
export async function findNewestBars(
  db: Queryable,
  series: readonly { mintAddress: string; interval: CandleInterval }[],
): Promise<StreamedBar[]> {
  if (series.length === 0) return [];
  const ends = await db<
    { mintAddress: string; interval: CandleInterval; lastOpen: Date; through: Date | null }[]
  >`
    select r.mint_address, r.interval, c.open_time as last_open, s.through
    from unnest(${series.map(({ mintAddress }) => mintAddress)}::text[], ${series.map(({ interval }) => interval)}::text[])
      as r (mint_address, interval)
    left join source_proofs s using (mint_address)
    cross join lateral (select open_time from candles b
      where b.mint_address = r.mint_address and b.interval = r.interval order by open_time desc limit 1) c`;
  const refs = ends.flatMap(({ mintAddress, interval, lastOpen, through }) => {
    const lengthMs = intervalMs[interval];
    const provenOpen = through === null ? lastOpen : bucketStart(interval, through);
    const newest = Math.max(lastOpen.getTime(), provenOpen.getTime());
    return [newest - lengthMs, newest].map((openMs) => ({
      mintAddress,
      interval,
      openTime: new Date(openMs),
    }));
  });
  return findStreamedBars(db, refs);
}

function toStreamedBar(row: StreamedRow & (BarRow | { openTime: null })): StreamedBar | null {
  const { mintAddress, interval, bucket, provenThrough, previousClose } = row;
  const endOpen = new Date(bucket.getTime() + intervalMs[interval]);
  const [candle] = fillSeries(
    { interval, from: bucket, to: endOpen, firstOpen: bucket, endOpen },
    row.openTime === null ? [] : [toBar(row)],
    previousClose === null ? null : normaliseDecimal(previousClose),
    // A bar with trades exists before its source is proven that far; one without trades needs the proof.
    { asOf: row.openTime === null ? (provenThrough ?? new Date(0)) : bucket, provenThrough },
  );
  return candle === undefined ? null : { mintAddress, interval, ...candle };
}
