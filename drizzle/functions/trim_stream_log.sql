-- Deletes the oldest rows that are older than `cutoff`, or more than `kept` ids back, and remembers how far. Ids are counted without
-- their timeline. Returns how many.
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
GRANT EXECUTE ON FUNCTION trim_stream_log(timestamp with time zone, bigint, integer) TO launchwire_worker;
