-- The tokens of trades must exist. A foreign key checks each row, which costs a tenth of a stored trade. This function
-- applies the same rule once for each statement. A token with trades is never deleted, because its candles refer to
-- it.
CREATE OR REPLACE FUNCTION refuse_unknown_tokens() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  unknown text;
BEGIN
  SELECT c.mint_address INTO unknown FROM (SELECT DISTINCT mint_address FROM changed) c
  WHERE NOT EXISTS (SELECT FROM public.tokens t WHERE t.mint_address = c.mint_address) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'trades of an unknown token: %', unknown USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
