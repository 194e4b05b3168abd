CREATE OR REPLACE FUNCTION log_trades() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  INSERT INTO public.stream_log (kind, mint_address, ref, slot, through, trader_wallet, side, sol_amount, at)
  SELECT CASE TG_OP WHEN 'INSERT' THEN 'trade' ELSE 'trade_reverted' END, mint_address, id, slot, block_time, trader_wallet, type,
    sol_amount, clock_timestamp()
  FROM changed ORDER BY slot, transaction_index, outer_index, inner_index;
  RETURN NULL;
END $$;
