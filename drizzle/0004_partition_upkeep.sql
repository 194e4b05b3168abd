-- What the worker, which owns no table, may do to partitions: make the ones that are missing, drop what is expired,
-- count what has none. Every name and bound is computed here; a caller chooses among three tables and says how long to keep.
-- A bucket is a week (its number since Monday 1970-01-05) or ten million slots.
CREATE FUNCTION partition_bound(parent text, bucket bigint) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE parent
    WHEN 'trades' THEN (bucket * 10000000)::text
    -- The first UUIDv7 of the week: 48 bits of milliseconds.
    ELSE (lpad(to_hex(bucket * 604800000 + 345600000), 12, '0') || repeat('0', 20))::uuid::text
  END;
$$;
--> statement-breakpoint
CREATE FUNCTION partition_week(at timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT floor((extract(epoch FROM at) - 345600) / 604800)::bigint;
$$;
--> statement-breakpoint
CREATE FUNCTION partition_week_start(bucket bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT to_timestamp(bucket * 604800 + 345600);
$$;
--> statement-breakpoint
-- `events_20261116` begins at that Monday, `trades_380m` at slot 380,000,000.
CREATE FUNCTION partition_name(parent text, bucket bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE parent
    WHEN 'trades' THEN format('trades_%sm', bucket * 10)
    ELSE format('%s_%s', parent, to_char(public.partition_week_start(bucket) AT TIME ZONE 'UTC', 'YYYYMMDD'))
  END;
$$;
--> statement-breakpoint
CREATE FUNCTION partition_buckets(parent text) RETURNS TABLE (bucket bigint, name text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE parent
      WHEN 'trades' THEN substring(relname FROM '^trades_(\d+)m$')::bigint / 10
      ELSE public.partition_week(to_date(substring(relname FROM '_(\d{8})$'), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC')
    END, relname::text
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = format('public.%I', parent)::regclass AND relname ~ '_(\d{8}|\d+m)$' AND relname !~ 'before'
  ORDER BY 1;
$$;
--> statement-breakpoint
CREATE FUNCTION require_partitioned(parent text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF parent IS NULL OR parent <> ALL (ARRAY['events', 'webhook_attempts', 'trades']) THEN
    RAISE EXCEPTION 'no partitioned table is called %', parent USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;
--> statement-breakpoint
-- The lowest bucket that should have a partition and has none; null when all is well. Weeks: this one and three ahead,
-- so that neither a worker that is away nor a clock that was set matters soon. Slots: that of the chain's head and the
-- next, and one after the last that has trades. And whatever the default partition holds, within reason.
CREATE FUNCTION missing_partition(parent text, newest_slot bigint) RETURNS bigint
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
      CASE parent WHEN 'events' THEN 'id' ELSE 'delivery_id' END, parent || '_default',
      public.partition_bound(parent, public.partition_week('2020-01-06Z')), public.partition_bound(parent, this_week + 9))
      INTO stray;
  END IF;
  RETURN (
    SELECT min(w) FROM unnest(wanted || stray) AS w
    WHERE w IS NOT NULL AND (parent <> 'trades' OR (w BETWEEN 0 AND 199
        AND w * 10000000 >= coalesce((SELECT slot FROM public.trade_floor), 0)))
      AND NOT EXISTS (SELECT FROM public.partition_buckets(parent) AS p WHERE p.bucket = w));
END $$;
--> statement-breakpoint
-- Makes one missing partition, with the rows of it that the default one took in, and returns its name; null when none
-- is missing or another process is at it. It is attached, not created in place: that locks the default partition only,
-- and the parent against nothing but other changes of partitions.
CREATE FUNCTION make_next_partition(parent text, newest_slot bigint DEFAULT NULL) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
  key text := CASE parent WHEN 'events' THEN 'id' WHEN 'trades' THEN 'slot' ELSE 'delivery_id' END;
  bucket bigint;
  name text;
  low text;
  high text;
BEGIN
  PERFORM public.require_partitioned(parent);
  IF NOT pg_try_advisory_xact_lock(7201957) THEN
    RETURN NULL;
  END IF;
  bucket := public.missing_partition(parent, newest_slot);
  IF bucket IS NULL THEN
    RETURN NULL;
  END IF;
  name := public.partition_name(parent, bucket);
  low := public.partition_bound(parent, bucket);
  high := public.partition_bound(parent, bucket + 1);
  EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name, parent);
  EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', parent || '_default');
  EXECUTE format('WITH moved AS (DELETE FROM public.%I WHERE %I >= %L AND %I < %L RETURNING *)
      INSERT INTO public.%I SELECT * FROM moved', parent || '_default', key, low, key, high, name);
  EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', parent, name, low, high);
  RETURN name;
END $$;
--> statement-breakpoint
-- Whether anything of a partition is still needed: an event to be announced, or a delivery whose event or attempts it
-- holds. By index, whatever the planner thinks: the second look is under the lock.
CREATE FUNCTION partition_in_use(parent text, bucket bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
  in_use boolean := false;
BEGIN
  IF parent = 'events' THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM public.%1$I WHERE published_at IS NULL)
      OR EXISTS (SELECT FROM public.%1$I WHERE fanned_out_at IS NULL)', public.partition_name(parent, bucket)) INTO in_use;
  END IF;
  IF NOT in_use THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM public.webhook_deliveries WHERE %1$I >= %2$L AND %1$I < %3$L)',
      CASE parent WHEN 'events' THEN 'event_id' ELSE 'id' END,
      public.partition_bound(parent, bucket), public.partition_bound(parent, bucket + 1)) INTO in_use;
  END IF;
  RETURN in_use;
END $$;
--> statement-breakpoint
-- Drops the oldest week that ended before `cutoff` and is not in use. A fan-out that reads an event holds a lock on the
-- parent until its deliveries are committed, so the look under the lock sees them.
CREATE FUNCTION drop_week(parent text, cutoff timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  oldest record;
BEGIN
  FOR oldest IN SELECT bucket, name FROM public.partition_buckets(parent) LOOP
    EXIT WHEN public.partition_week_start(oldest.bucket + 1) > cutoff;
    CONTINUE WHEN public.partition_in_use(parent, oldest.bucket);
    EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', parent);
    IF public.partition_in_use(parent, oldest.bucket) THEN
      RETURN NULL;
    END IF;
    EXECUTE format('DROP TABLE public.%I', oldest.name);
    RETURN oldest.name;
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Whether every trade of a bucket is older than `cutoff`. Time goes with slots: while the next trades are younger, some
-- of this bucket may be, and nothing more is read. Otherwise all are looked at, once, before they are dropped.
CREATE FUNCTION trades_expired(expiring bigint, cutoff timestamptz) RETURNS boolean
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
--> statement-breakpoint
-- Drops the oldest bucket of trades, but for the last trade of each token that tells a price or the liquidity: a
-- reversal of younger trades goes back to it, and a prediction round may settle by it. Those of all dropped buckets are
-- together in one partition below the floor, and no trade is stored there again.
CREATE FUNCTION drop_trades(cutoff timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  oldest record;
  floor_slot bigint;
  kept text;
  kept_before text;
  source text;
BEGIN
  SELECT bucket, name INTO oldest FROM public.partition_buckets('trades') ORDER BY bucket LIMIT 1;
  IF oldest.name IS NULL THEN
    RETURN NULL;
  END IF;
  -- Its readers go on; a late trade of it waits.
  EXECUTE format('LOCK TABLE public.%I IN SHARE MODE', oldest.name);
  IF NOT public.trades_expired(oldest.bucket, cutoff) THEN
    RETURN NULL;
  END IF;
  floor_slot := (oldest.bucket + 1) * 10000000;
  kept := format('trades_before_%sm', floor_slot / 1000000);
  SELECT relname INTO kept_before FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'public.trades'::regclass AND relname ~ '^trades_before_\d+m$';
  source := format('SELECT * FROM public.%I', oldest.name)
    || CASE WHEN kept_before IS NULL THEN '' ELSE format(' UNION ALL SELECT * FROM public.%I', kept_before) END;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.trades INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', kept);
  EXECUTE format('INSERT INTO public.%I %s', kept, (
    SELECT string_agg(format('(SELECT DISTINCT ON (mint_address) * FROM (%s) AS t WHERE %s
        ORDER BY mint_address, slot DESC, transaction_index DESC, outer_index DESC, inner_index DESC, id DESC)', source, telling), ' UNION ')
    FROM unnest(ARRAY[
      'trunc(coalesce(spot_price_in_sol, price_per_token_in_sol), 18) > 0',
      'coalesce(spot_price_in_sol, price_per_token_in_sol) > 0',
      'coalesce(spot_price_in_sol, price_per_token_in_sol) > 0 AND liquidity_in_sol IS NOT NULL',
      'liquidity_in_sol IS NOT NULL']) AS telling));
  LOCK TABLE public.trades IN ACCESS EXCLUSIVE MODE;
  IF kept_before IS NOT NULL THEN
    EXECUTE format('DROP TABLE public.%I', kept_before);
  END IF;
  EXECUTE format('DROP TABLE public.%I', oldest.name);
  EXECUTE format('ALTER TABLE public.trades ATTACH PARTITION public.%I FOR VALUES FROM (MINVALUE) TO (%L)', kept, floor_slot);
  INSERT INTO public.trade_floor (slot) VALUES (floor_slot) ON CONFLICT (only_row) DO UPDATE SET slot = excluded.slot;
  RETURN oldest.name;
END $$;
--> statement-breakpoint
-- Drops one expired partition and returns its name; null when there is none that may go, or another process is at it.
-- Old is what both clocks, the caller's and this server's, call old, so that neither of them alone can lose anything.
-- It waits 100 ms for its locks and then fails with `lock_not_available`: behind a waiting lock every statement waits.
CREATE FUNCTION drop_next_partition(parent text, at timestamptz, keep_days integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
  least_days integer := CASE parent WHEN 'trades' THEN 30 ELSE 8 END;
  cutoff timestamptz := least(at, clock_timestamp()) - make_interval(days => keep_days);
BEGIN
  PERFORM public.require_partitioned(parent);
  IF keep_days IS NULL OR keep_days < least_days OR at IS NULL THEN
    RAISE EXCEPTION '% are kept for at least % days', parent, least_days USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT pg_try_advisory_xact_lock(7201957) THEN
    RETURN NULL;
  END IF;
  RETURN CASE parent WHEN 'trades' THEN public.drop_trades(cutoff) ELSE public.drop_week(parent, cutoff) END;
END $$;
--> statement-breakpoint
-- Rows without a partition of their own, counted up to 10,000 a table.
CREATE FUNCTION default_partition_rows() RETURNS TABLE (parent text, row_count integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT 'events', count(*)::integer FROM (SELECT FROM public.events_default LIMIT 10000) AS e
  UNION ALL SELECT 'webhook_attempts', count(*)::integer FROM (SELECT FROM public.webhook_attempts_default LIMIT 10000) AS a
  UNION ALL SELECT 'trades', count(*)::integer FROM (SELECT FROM public.trades_default LIMIT 10000) AS t;
$$;
--> statement-breakpoint
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_next_partition(text, bigint), drop_next_partition(text, timestamptz, integer),
  default_partition_rows() TO launchwire_worker;
