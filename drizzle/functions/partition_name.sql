-- `events_20261116` begins at that Monday, `trades_380m` at slot 380,000,000.
CREATE OR REPLACE FUNCTION partition_name(parent text, bucket bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE parent
    WHEN 'trades' THEN format('trades_%sm', bucket * 10)
    ELSE format('%s_%s', parent, to_char(public.partition_week_start(bucket) AT TIME ZONE 'UTC', 'YYYYMMDD'))
  END;
$$;
