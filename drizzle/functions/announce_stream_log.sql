-- A transaction that writes to the log announces from which id on it may write, before it takes its first id. The
-- announcement is a shared advisory lock whose second key is the last id that was given out (31 bits of it). The lock
-- ends after the transaction, when its rows can be seen. So everything below all such locks is complete, and a reader
-- waits for nothing else. Before the announcement, the function begins the timeline of today. Triggers call it with
-- their rights and search path, as an assignment or a condition, because PERFORM would start a statement, which costs
-- as much as the row itself. It returns true.
CREATE OR REPLACE FUNCTION announce_stream_log() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  given_out bigint;
BEGIN
  IF current_setting('launchwire.stream_log', true) = 'announced' THEN
    RETURN true;
  END IF;
  -- The expression of current_timeline, which takes a quarter of the 12 µs of a call.
  IF pg_sequence_last_value('public.log_timeline')
      IS DISTINCT FROM ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer
    AND public.begin_log_timeline() IS NULL THEN
    RAISE EXCEPTION 'the timeline could not be begun';
  END IF;
  given_out := coalesce(pg_sequence_last_value('public.stream_log_id_seq'), 0);
  -- The lock function returns void, which is never null. A condition calls it without a statement.
  IF pg_advisory_xact_lock_shared(7201960, (given_out & 2147483647)::integer) IS NULL
    OR set_config('launchwire.stream_log', 'announced', true) IS NULL
    -- A reader must not see what a crash of the server could take back.
    OR (current_setting('synchronous_commit') = 'off' AND set_config('synchronous_commit', 'on', true) IS NULL) THEN
    RAISE EXCEPTION 'the log of streams could not be announced';
  END IF;
  RETURN true;
END $$;
