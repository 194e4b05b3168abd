-- Events and the log of streams are complete up to one horizon, that of transactions which have announced themselves (decisions/0058).
CREATE OR REPLACE FUNCTION commit_horizon(OUT complete_through bigint, OUT given_out bigint)
LANGUAGE plpgsql AS $$
DECLARE
  given_before bigint := coalesce(pg_catalog.pg_sequence_last_value('public.stream_log_id_seq'), 0);
  announced bigint[];
BEGIN
  -- The order of these looks is what makes it right: the places given out, then who may still write, then (by the caller) the rows.
  SELECT array_agg(objid::bigint) INTO announced FROM pg_catalog.pg_locks
    WHERE locktype = 'advisory' AND classid = 7201960 AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database());
  given_out := coalesce(pg_catalog.pg_sequence_last_value('public.stream_log_id_seq'), 0);
  complete_through := least(given_before,
    (SELECT min(given_out - ((given_out - low) & 2147483647)) FROM unnest(announced) AS low));
END $$;
