-- Logs the tokens that changed. A token that is in no list yet is news to nobody. That it is listed now is news.
CREATE OR REPLACE FUNCTION log_tokens() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mints text[];
  announced boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(n.mint_address) INTO mints FROM added n WHERE n.listed;
  ELSE
    SELECT array_agg(n.mint_address) INTO mints FROM added n JOIN removed o USING (mint_address)
    WHERE (n.creator_wallet, n.name, n.symbol, n.description, n.image_url, n.decimals, n.total_supply, n.launch_type,
        n.status, n.launched_at, n.graduated_at, n.telegram, n.twitter, n.website, n.hidden, n.listed)
      IS DISTINCT FROM (o.creator_wallet, o.name, o.symbol, o.description, o.image_url, o.decimals, o.total_supply,
        o.launch_type, o.status, o.launched_at, o.graduated_at, o.telegram, o.twitter, o.website, o.hidden, o.listed);
  END IF;
  IF mints IS NOT NULL THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, at) SELECT 'token', unnest(mints), clock_timestamp();
  END IF;
  RETURN NULL;
END $$;
