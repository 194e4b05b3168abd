-- The statement that selects the trades which stay of an expiring partition (decisions/0073): of each token the newest trade of the
-- partition, else of those kept before, that shows a price, a price of 18 digits, a price with the liquidity, the liquidity. All those
-- kept before are older. They are read by `trades_chain_order`, token by token.
CREATE OR REPLACE FUNCTION kept_trades(expiring text, kept_before text) RETURNS text
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
