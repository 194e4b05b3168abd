-- Cursors of streams and of the list of events go on after a standby was promoted (decisions/0067). Expand only: the release before
-- reads the same columns, and goes on without asking whether the new primary has what it has shown.
--
-- The timeline on which the newest ids of the log were given out. A sequence: its value counts at once, whatever becomes of the
-- transaction that set it.
CREATE SEQUENCE "log_timeline" AS integer;
--> statement-breakpoint
SELECT setval('log_timeline', current_timeline());
--> statement-breakpoint
-- The timeline that is part of the epoch of the log: that of today, so that cursors stay valid, whatever is promoted later.
ALTER TABLE "event_order" ADD COLUMN "epoch_timeline" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
UPDATE event_order SET epoch_timeline = current_timeline();
--> statement-breakpoint
-- The first ids of a timeline: above all that an earlier one can have given out, also beyond the end that reached this server. The
-- number of the timeline is in the bits from 2^40 on; the bits below count on. One session does it, before it takes an id.
CREATE FUNCTION begin_log_timeline() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  given_out bigint;
BEGIN
  PERFORM pg_advisory_lock(7201964);
  IF pg_sequence_last_value('public.log_timeline') IS DISTINCT FROM public.current_timeline() THEN
    given_out := coalesce(pg_sequence_last_value('public.stream_log_id_seq'), 0);
    PERFORM setval('public.stream_log_id_seq',
      (greatest(public.current_timeline(), (given_out >> 40) + 1)::bigint << 40) + (given_out & 1099511627775) + 1);
    PERFORM setval('public.log_timeline', public.current_timeline());
  END IF;
  PERFORM pg_advisory_unlock(7201964);
  RETURN true;
END $$;
--> statement-breakpoint
-- As before (0027), and first of all on the timeline of today.
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
--> statement-breakpoint
-- As before (0039), but for the epoch, which no promotion changes, and `timeline_start`: ids below it were given out on an earlier
-- timeline, and the end of that may not have reached this server.
DROP FUNCTION read_stream_log(bigint, integer);
--> statement-breakpoint
CREATE FUNCTION read_stream_log(after_id bigint, page integer) RETURNS TABLE (
  complete_through bigint, given_out bigint, epoch text, deleted_through bigint, deleted_at timestamptz, proven_through timestamptz,
  id bigint, kind text, mint_address text, account_id uuid, ref uuid, slot bigint, through timestamptz,
  since timestamptz, at timestamptz, timeline_start bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  begun boolean := pg_sequence_last_value('public.log_timeline') IS NOT DISTINCT FROM public.current_timeline();
  horizon record := public.commit_horizon();
BEGIN
  RETURN QUERY
    SELECT horizon.complete_through, horizon.given_out,
      substr(md5(concat_ws('-', s.system_identifier, o.epoch_timeline, d.oid, 'public.stream_log'::regclass::oid)), 1, 12),
      p.deleted_through, p.deleted_at, p.proven_through,
      l.id, l.kind, l.mint_address, l.account_id, l.ref, l.slot, l.through, l.since, l.at,
      CASE WHEN begun THEN (horizon.given_out >> 40) << 40 ELSE horizon.given_out + 1 END
    FROM public.stream_progress p CROSS JOIN pg_control_system() s CROSS JOIN public.event_order o
    CROSS JOIN (SELECT oid FROM pg_database WHERE datname = current_database()) d
    LEFT JOIN LATERAL (SELECT * FROM public.stream_log
      WHERE stream_log.id > after_id AND stream_log.id <= horizon.complete_through ORDER BY stream_log.id LIMIT page) l ON true
    ORDER BY l.id;
END $$;
--> statement-breakpoint
-- As before (0023); ids are counted without their timeline.
CREATE OR REPLACE FUNCTION trim_stream_log(cutoff timestamptz, kept bigint, page integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  counted integer;
BEGIN
  IF cutoff > clock_timestamp() - interval '15 minutes' THEN
    RAISE EXCEPTION 'the log of streams is kept for at least 15 minutes' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WITH oldest AS (
    SELECT o.id FROM (SELECT l.id, l.at FROM public.stream_log l ORDER BY l.id LIMIT page) o
    WHERE o.at < cutoff
      OR (o.id & 1099511627775) <= (SELECT last_value & 1099511627775 FROM public.stream_log_id_seq) - kept
  ), deleted AS (
    DELETE FROM public.stream_log l USING oldest o WHERE l.id = o.id RETURNING l.id, l.at
  ), remembered AS (
    UPDATE public.stream_progress p SET deleted_through = greatest(p.deleted_through, d.id), deleted_at = d.at
    FROM (SELECT id, at FROM deleted ORDER BY id DESC LIMIT 1) d
  )
  SELECT count(*) INTO counted FROM deleted;
  RETURN counted;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION begin_log_timeline(), read_stream_log(bigint, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION read_stream_log(bigint, integer) TO launchwire_api;
