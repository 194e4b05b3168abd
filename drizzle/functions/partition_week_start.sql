CREATE OR REPLACE FUNCTION partition_week_start(bucket bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT to_timestamp(bucket * 604800 + 345600);
$$;
