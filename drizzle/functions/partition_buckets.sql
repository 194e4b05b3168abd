-- The partitions of a table with their buckets. The default partition has none, nor has `trades_before_…`, which holds
-- the trades that are kept below the floor (drop_trades).
CREATE OR REPLACE FUNCTION partition_buckets(parent text) RETURNS TABLE (bucket bigint, name text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE parent
      WHEN 'trades' THEN substring(relname FROM '^trades_(\d+)m$')::bigint / 10
      ELSE public.partition_week(to_date(substring(relname FROM '_(\d{8})$'), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC')
    END, relname::text
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = format('public.%I', parent)::regclass AND relname ~ '_(\d{8}|\d+m)$' AND relname !~ 'before'
  ORDER BY 1;
$$;
