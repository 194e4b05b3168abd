-- Makes the ranking read a token again when its threshold becomes known later, because no entry of the log says that.
CREATE OR REPLACE FUNCTION rank_threshold() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.token_rankings SET due_at = '-infinity' WHERE mint_address = NEW.mint_address;
  RETURN NULL;
END $$;
