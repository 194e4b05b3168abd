-- Statements that do not count traders themselves, such as those of the release before, leave their pairs to the worker.
CREATE OR REPLACE FUNCTION note_uncounted_traders() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.trader_recounts AS r (mint_address, trader_wallet, from_slot)
  SELECT mint_address, trader_wallet, min(slot) FROM changed GROUP BY mint_address, trader_wallet ORDER BY mint_address, trader_wallet
  ON CONFLICT (mint_address, trader_wallet) DO UPDATE SET from_slot = least(r.from_slot, excluded.from_slot);
  RETURN NULL;
END $$;
