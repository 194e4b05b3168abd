-- Whether every trade of a bucket is older than `cutoff`. Time goes with slots: while the next trades are younger, some
-- of this bucket may be, and nothing more is read. Otherwise all are looked at, once, before they are dropped.
CREATE OR REPLACE FUNCTION trades_expired(expiring bigint, cutoff timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  later text;
  next_time timestamptz;
  expired boolean;
BEGIN
  FOR later IN SELECT name FROM public.partition_buckets('trades') WHERE bucket > expiring LOOP
    EXECUTE format('SELECT block_time FROM public.%I LIMIT 1', later) INTO next_time;
    EXIT WHEN next_time IS NOT NULL;
  END LOOP;
  IF next_time IS NULL OR next_time >= cutoff THEN
    RETURN false;
  END IF;
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM public.%I WHERE block_time >= $1)',
    public.partition_name('trades', expiring)) INTO expired USING cutoff;
  RETURN expired;
END $$;
