-- An expiring partition of trades is no longer sorted four times to find the trades of each token that stay: they are read by
-- `trades_chain_order`, token by token (decisions/0073). Expand only: the release before calls the same function.
--
-- The statement that selects them: of each token the newest trade of the expiring partition, else of those kept before, that shows a
-- price, a price of 18 digits, a price with the liquidity, the liquidity. All those kept before are older.
CREATE FUNCTION kept_trades(expiring text, kept_before text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT string_agg(format('SELECT kept.* FROM public.tokens AS token CROSS JOIN LATERAL (SELECT * FROM (%s) AS newest ORDER BY slot DESC LIMIT 1) AS kept',
    (SELECT string_agg(format('(SELECT * FROM public.%I WHERE mint_address = token.mint_address AND %s
        ORDER BY slot DESC, transaction_index DESC, outer_index DESC, inner_index DESC, id DESC LIMIT 1)', source, telling), ' UNION ALL ')
      FROM unnest(ARRAY[expiring, kept_before]) AS source WHERE source IS NOT NULL)), ' UNION ')
  FROM unnest(ARRAY[
    'trunc(coalesce(spot_price_in_sol, price_per_token_in_sol), 18) > 0',
    'coalesce(spot_price_in_sol, price_per_token_in_sol) > 0',
    'coalesce(spot_price_in_sol, price_per_token_in_sol) > 0 AND liquidity_in_sol IS NOT NULL',
    'liquidity_in_sol IS NOT NULL']) AS telling;
$$;
--> statement-breakpoint
-- As before (0004), but for the statement above.
CREATE OR REPLACE FUNCTION drop_trades(cutoff timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  oldest record;
  floor_slot bigint;
  kept text;
  kept_before text;
BEGIN
  SELECT bucket, name INTO oldest FROM public.partition_buckets('trades') ORDER BY bucket LIMIT 1;
  IF oldest.name IS NULL THEN
    RETURN NULL;
  END IF;
  -- Its readers go on; a late trade of it waits.
  EXECUTE format('LOCK TABLE public.%I IN SHARE MODE', oldest.name);
  IF NOT public.trades_expired(oldest.bucket, cutoff) THEN
    RETURN NULL;
  END IF;
  floor_slot := (oldest.bucket + 1) * 10000000;
  kept := format('trades_before_%sm', floor_slot / 1000000);
  SELECT relname INTO kept_before FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'public.trades'::regclass AND relname ~ '^trades_before_\d+m$';
  EXECUTE format('CREATE TABLE public.%I (LIKE public.trades INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', kept);
  EXECUTE format('INSERT INTO public.%I %s', kept, public.kept_trades(oldest.name, kept_before));
  LOCK TABLE public.trades IN ACCESS EXCLUSIVE MODE;
  IF kept_before IS NOT NULL THEN
    EXECUTE format('DROP TABLE public.%I', kept_before);
  END IF;
  EXECUTE format('DROP TABLE public.%I', oldest.name);
  EXECUTE format('ALTER TABLE public.trades ATTACH PARTITION public.%I FOR VALUES FROM (MINVALUE) TO (%L)', kept, floor_slot);
  INSERT INTO public.trade_floor (slot) VALUES (floor_slot) ON CONFLICT (only_row) DO UPDATE SET slot = excluded.slot;
  RETURN oldest.name;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION kept_trades(text, text) FROM PUBLIC;
