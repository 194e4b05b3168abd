-- Where the partition of a bucket begins. A bucket is a week (its number since Monday 1970-01-05) or, for trades, ten
-- million slots. The worker owns no table. These functions are what it may do to partitions: it makes those that are
-- missing, drops those that have expired, and counts the rows that have none. Every name and bound is computed here. A
-- caller chooses one of four tables and says how long rows are kept.
CREATE OR REPLACE FUNCTION partition_bound(parent text, bucket bigint) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE parent
    WHEN 'trades' THEN (bucket * 10000000)::text
    -- The first UUIDv7 of the week: 48 bits of milliseconds.
    ELSE (lpad(to_hex(bucket * 604800000 + 345600000), 12, '0') || repeat('0', 20))::uuid::text
  END;
$$;
