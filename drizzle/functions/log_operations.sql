CREATE OR REPLACE FUNCTION log_operations() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, account_id, ref, at)
    SELECT 'operation', account_id, id, clock_timestamp() FROM added;
  ELSIF EXISTS (SELECT FROM added n JOIN removed o USING (id)
      WHERE (n.status, n.progress_completed, n.progress_total, n.progress_unit)
        IS DISTINCT FROM (o.status, o.progress_completed, o.progress_total, o.progress_unit)) THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, account_id, ref, at)
    SELECT 'operation', n.account_id, n.id, clock_timestamp() FROM added n JOIN removed o USING (id)
    WHERE (n.status, n.progress_completed, n.progress_total, n.progress_unit)
      IS DISTINCT FROM (o.status, o.progress_completed, o.progress_total, o.progress_unit);
  END IF;
  RETURN NULL;
END $$;
