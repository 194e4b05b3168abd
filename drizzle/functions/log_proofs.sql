-- A row a minute and token, which is when candles may close. The one row of progress is left alone while another writes it.
CREATE OR REPLACE FUNCTION log_proofs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  latest timestamptz;
  announced boolean;
BEGIN
  SELECT max(n.through) INTO latest FROM added n;
  IF latest IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE public.stream_progress SET proven_through = latest
  WHERE ctid = (SELECT ctid FROM public.stream_progress
    WHERE proven_through IS NULL OR proven_through < latest FOR NO KEY UPDATE SKIP LOCKED);
  IF TG_OP = 'INSERT' THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, through, at)
    SELECT 'proven', mint_address, through, clock_timestamp() FROM added;
  ELSIF EXISTS (SELECT FROM added n JOIN removed o USING (mint_address)
      WHERE date_trunc('minute', n.through) > date_trunc('minute', o.through)) THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, through, since, at)
    SELECT 'proven', n.mint_address, n.through, o.through, clock_timestamp()
    FROM added n JOIN removed o USING (mint_address)
    WHERE date_trunc('minute', n.through) > date_trunc('minute', o.through);
  END IF;
  RETURN NULL;
END $$;
