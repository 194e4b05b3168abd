-- Streams of presales and rounds (decisions/0078): two kinds of changes in the log. Expand only: the release before reads the log by
-- `read_stream_log(bigint, integer)`, which goes on to return the kinds that it knows; `read_stream_kinds` returns those of its caller.
CREATE OR REPLACE FUNCTION log_presale() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  -- Without its mint: a stream of a token does not get it.
  INSERT INTO public.stream_log (kind, ref, at) VALUES ('presale', NEW.id, clock_timestamp());
  RETURN NULL;
END $$;
