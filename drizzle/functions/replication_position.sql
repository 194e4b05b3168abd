-- Where a server is in the write-ahead log, for reads from a standby (decisions/0069). Of a primary what a transaction has written that
-- is visible now, of a standby what it has replayed: a standby at the position of its primary shows everything that the primary showed.
-- The timeline of a standby is that of the first change that it has replayed, so one that follows a replaced primary differs from the
-- new one.
CREATE OR REPLACE FUNCTION replication_position() RETURNS TABLE (is_standby boolean, log_position bigint, timeline integer, origin text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  standby boolean := pg_is_in_recovery();
  lsn numeric := (CASE WHEN standby THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END) - '0/0'::pg_lsn;
BEGIN
  RETURN QUERY SELECT standby,
    -- The next record begins after the head of its page (at most 40 bytes), the last one ended before.
    (CASE WHEN standby OR lsn % 8192 > 40 THEN lsn ELSE lsn - lsn % 8192 END)::bigint,
    CASE WHEN standby THEN pg_sequence_last_value('public.log_timeline')::integer ELSE public.current_timeline() END,
    s.system_identifier::text || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())::text
  FROM pg_control_system() s;
END $$;
GRANT EXECUTE ON FUNCTION replication_position() TO launchwire_api;
