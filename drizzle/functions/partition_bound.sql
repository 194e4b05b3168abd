-- What the worker, which owns no table, may do to partitions: make the ones that are missing, drop what is expired,
-- count what has none. Every name and bound is computed here; a caller chooses among three tables and says how long to keep.
-- A bucket is a week (its number since Monday 1970-01-05) or ten million slots.
CREATE OR REPLACE FUNCTION partition_bound(parent text, bucket bigint) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE parent
    WHEN 'trades' THEN (bucket * 10000000)::text
    -- The first UUIDv7 of the week: 48 bits of milliseconds.
    ELSE (lpad(to_hex(bucket * 604800000 + 345600000), 12, '0') || repeat('0', 20))::uuid::text
  END;
$$;
