CREATE OR REPLACE FUNCTION log_prediction_round() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  INSERT INTO public.stream_log (kind, ref, at) VALUES ('round', NEW.id, clock_timestamp());
  RETURN NULL;
END $$;
