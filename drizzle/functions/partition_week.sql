CREATE OR REPLACE FUNCTION partition_week(at timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT floor((extract(epoch FROM at) - 345600) / 604800)::bigint;
$$;
