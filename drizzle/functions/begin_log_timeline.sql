-- The first ids of a timeline: above all that an earlier one can have given out, also beyond the end that reached this server. The
-- number of the timeline is in the bits from 2^40 on; the bits below count on. One session does it, before it takes an id.
CREATE OR REPLACE FUNCTION begin_log_timeline() RETURNS boolean LANGUAGE plpgsql AS $$
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
