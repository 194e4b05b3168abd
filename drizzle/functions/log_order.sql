CREATE OR REPLACE FUNCTION log_order() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  INSERT INTO public.stream_log (kind, account_id, ref, at) VALUES ('order', NEW.account_id, NEW.id, clock_timestamp());
  RETURN NULL;
END $$;
