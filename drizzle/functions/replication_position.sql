-- Where a server is in the write-ahead log, for reads from a standby (decisions/0069). On a primary it is the end of
-- what visible transactions have written. On a standby it is the end of what was replayed. So a standby at the
-- position of its primary shows everything that the primary showed. The timeline of a standby is that of the first
-- change that it has replayed, so a standby that follows a replaced primary differs from the new one.
CREATE OR REPLACE FUNCTION replication_position() RETURNS TABLE (is_standby boolean, log_position bigint, timeline integer, origin text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  standby boolean := pg_is_in_recovery();
  lsn numeric := (CASE WHEN standby THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END) - '0/0'::pg_lsn;
BEGIN
  RETURN QUERY SELECT standby,
    -- At the start of a page the next record begins after its head (at most 40 bytes), but the last one ended before it.
    (CASE WHEN standby OR lsn % 8192 > 40 THEN lsn ELSE lsn - lsn % 8192 END)::bigint,
    CASE WHEN standby THEN pg_sequence_last_value('public.log_timeline')::integer ELSE public.current_timeline() END,
    s.system_identifier::text || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())::text
  FROM pg_control_system() s;
END $$;
GRANT EXECUTE ON FUNCTION replication_position() TO launchwire_api;
