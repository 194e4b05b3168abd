-- Who writes to the log shows, before the first id of its transaction is taken, from which id on it may write: a shared advisory lock
-- whose second key is the last id that was given out (31 bits of it). It ends when the transaction has, after its rows can be seen. What
-- lies below every such lock is complete, and nothing else has to be waited for. Before all that it begins the timeline of today.
-- Triggers call it, with their rights and search path, as an assignment or a condition: PERFORM would start a statement, as expensive as
-- the row itself. Returns true.
CREATE OR REPLACE FUNCTION announce_stream_log() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  given_out bigint;
BEGIN
  IF current_setting('launchwire.stream_log', true) = 'announced' THEN
    RETURN true;
  END IF;
  -- What current_timeline returns, in a quarter of the 12 µs of a call.
  IF pg_sequence_last_value('public.log_timeline')
      IS DISTINCT FROM ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer
    AND public.begin_log_timeline() IS NULL THEN
    RAISE EXCEPTION 'the timeline could not be begun';
  END IF;
  given_out := coalesce(pg_sequence_last_value('public.stream_log_id_seq'), 0);
  -- A condition to call it: it returns nothing, and always.
  IF pg_advisory_xact_lock_shared(7201960, (given_out & 2147483647)::integer) IS NULL
    OR set_config('launchwire.stream_log', 'announced', true) IS NULL
    -- A reader must not see what a crash of the server could take back.
    OR (current_setting('synchronous_commit') = 'off' AND set_config('synchronous_commit', 'on', true) IS NULL) THEN
    RAISE EXCEPTION 'the log of streams could not be announced';
  END IF;
  RETURN true;
END $$;
