-- Erases secrets and can do nothing else to them: the worker calls it, which may neither read nor write one. A previous secret has five
-- minutes beyond its end, because a relay signs by its own clock. Neither version nor `updated_at` changes: to the subscriber nothing has.
CREATE OR REPLACE FUNCTION erase_webhook_secrets(most integer) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH erased AS (
    UPDATE public.webhook_endpoints SET sealed_previous_secret = NULL
    WHERE id = ANY (ARRAY(
      SELECT id FROM public.webhook_endpoints
      WHERE sealed_previous_secret IS NOT NULL AND previous_secret_expires_at < now() - interval '5 minutes'
      ORDER BY id LIMIT most FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING 1
  )
  SELECT count(*)::integer FROM erased;
$$;
GRANT EXECUTE ON FUNCTION erase_webhook_secrets(integer) TO launchwire_worker;
