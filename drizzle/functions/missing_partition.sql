-- The first bucket that needs a partition and has none, or null. For trades these are the bucket of the newest slot,
-- the one after it, and the one after the newest partition once that has rows. For the other tables they are this week
-- and the three after it. Rows in the default partition need one too, unless their slot or week cannot be right.
CREATE OR REPLACE FUNCTION missing_partition(parent text, newest_slot bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  this_week bigint := public.partition_week(clock_timestamp());
  wanted bigint[];
  newest record;
  has_rows boolean;
  stray bigint;
BEGIN
  IF parent = 'trades' THEN
    SELECT bucket, name INTO newest FROM public.partition_buckets('trades') ORDER BY bucket DESC LIMIT 1;
    IF newest.name IS NULL THEN
      wanted := ARRAY[0];
    ELSE
      EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', newest.name) INTO has_rows;
      IF has_rows THEN
        wanted := ARRAY[newest.bucket + 1];
      END IF;
    END IF;
    wanted := wanted || newest_slot / 10000000 || (newest_slot / 10000000 + 1);
    SELECT slot / 10000000 INTO stray FROM public.trades_default WHERE slot < 2000000000 LIMIT 1;
  ELSE
    wanted := ARRAY[this_week, this_week + 1, this_week + 2, this_week + 3];
    EXECUTE format('SELECT public.partition_week(to_timestamp((''x'' || left(replace(%1$I::text, ''-'', ''''), 12))::bit(48)::bigint / 1000.0))
        FROM public.%2$I WHERE %1$I >= %3$L AND %1$I < %4$L ORDER BY %1$I LIMIT 1',
      CASE parent WHEN 'events' THEN 'id' WHEN 'intent_sends' THEN 'intent_id' ELSE 'delivery_id' END, parent || '_default',
      public.partition_bound(parent, public.partition_week('2020-01-06Z')), public.partition_bound(parent, this_week + 9))
      INTO stray;
  END IF;
  RETURN (
    SELECT min(w) FROM unnest(wanted || stray) AS w
    WHERE w IS NOT NULL AND (parent <> 'trades' OR (w BETWEEN 0 AND 199
        AND w * 10000000 >= coalesce((SELECT slot FROM public.trade_floor), 0)))
      AND NOT EXISTS (SELECT FROM public.partition_buckets(parent) AS p WHERE p.bucket = w));
END $$;
