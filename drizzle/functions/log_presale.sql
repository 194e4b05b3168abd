-- Changes of presales, for their streams (decisions/0078).
CREATE OR REPLACE FUNCTION log_presale() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  -- Without its mint: a stream of a token does not get it.
  INSERT INTO public.stream_log (kind, ref, at) VALUES ('presale', NEW.id, clock_timestamp());
  RETURN NULL;
END $$;
