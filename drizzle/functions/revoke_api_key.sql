-- Revokes a key of an account, and can do nothing else to it: the api calls it, which may not change keys. Says since when the key is
-- revoked and whether it was this call; no row for a key of another account.
CREATE OR REPLACE FUNCTION revoke_api_key(revoked_key text, owner uuid, at timestamptz) RETURNS TABLE (revoked_since timestamptz, is_new boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  before timestamptz;
BEGIN
  SELECT k.revoked_at INTO before FROM public.api_keys k WHERE k.id = revoked_key AND k.account_id = owner FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF before IS NULL THEN
    UPDATE public.api_keys SET revoked_at = at WHERE id = revoked_key;
  END IF;
  RETURN QUERY SELECT coalesce(before, at), before IS NULL;
END $$;
GRANT EXECUTE ON FUNCTION revoke_api_key(text, uuid, timestamp with time zone) TO launchwire_api;
