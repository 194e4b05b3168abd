CREATE OR REPLACE FUNCTION log_markets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mints text[];
  announced boolean;
BEGIN
  SELECT array_agg(n.mint_address) INTO mints FROM added n JOIN removed o USING (mint_address)
  WHERE (n.price_in_sol, n.liquidity_in_sol, n.sol_collected_in_sol, n.holder_count)
    IS DISTINCT FROM (o.price_in_sol, o.liquidity_in_sol, o.sol_collected_in_sol, o.holder_count);
  IF mints IS NOT NULL THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, at) SELECT 'market', unnest(mints), clock_timestamp();
  END IF;
  RETURN NULL;
END $$;
