-- Deletes launches that ended before `cutoff` without anybody's signature, with their tokens, at most `page` of them. Their mints can never
-- exist: one transaction could have made each, and its time is over. One of which anything else is known stays. Returns how many.
CREATE OR REPLACE FUNCTION delete_unsigned_launches(cutoff timestamptz, page integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  candidate record;
  counted integer := 0;
BEGIN
  IF cutoff > clock_timestamp() - interval '23 hours' THEN
    RAISE EXCEPTION 'launches that nobody has signed are kept for a day' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- No limit here: those that stay would take the places of others.
  FOR candidate IN
    SELECT l.id, t.mint_address FROM public.tokens t JOIN public.launches l ON l.mint_address = t.mint_address
    WHERE NOT t.listed AND t.status = 'expired' AND t.created_at < cutoff
      AND l.status = 'expired' AND l.completed_at < cutoff
      AND t.pool_address IS NULL AND t.curve_stage IS NULL AND t.mint_slot IS NULL
    ORDER BY t.created_at FOR UPDATE OF t SKIP LOCKED
  LOOP
    EXIT WHEN counted >= page;
    BEGIN
      DELETE FROM public.launches WHERE id = candidate.id;
      DELETE FROM public.holder_counting WHERE mint_address = candidate.mint_address;
      DELETE FROM public.token_markets WHERE mint_address = candidate.mint_address;
      DELETE FROM public.tokens WHERE mint_address = candidate.mint_address;
      counted := counted + 1;
    EXCEPTION WHEN foreign_key_violation THEN
      -- A round or a presale, for example: the token stays, and is looked at again.
      CONTINUE;
    END;
  END LOOP;
  RETURN counted;
END $$;
GRANT EXECUTE ON FUNCTION delete_unsigned_launches(timestamp with time zone, integer) TO launchwire_worker;
