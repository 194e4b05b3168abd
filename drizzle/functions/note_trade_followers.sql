-- Transactions that store trades share the lock 7201965 and then read the stamp. A change of what is followed takes it alone, at its
-- commit, and so waits for those that have not seen it: each trade of a later transaction does.
CREATE OR REPLACE FUNCTION note_trade_followers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('launchwire.trade_followers', true) = 'noted' THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(7201965);
  UPDATE public.trade_followers SET stamp = gen_random_uuid();
  PERFORM set_config('launchwire.trade_followers', 'noted', true);
  RETURN NULL;
END $$;
