-- Sets where the contact of an account is, or removes it (null), and says which endpoint it is and whether anything changed; no row for an
-- unknown account. For the internal API, which reads no endpoint and knows no secret.
CREATE OR REPLACE FUNCTION set_webhook_contact(account uuid, contact uuid, target text) RETURNS TABLE (endpoint_id uuid, is_changed boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  held record;
BEGIN
  -- As the creation of an endpoint does: one contact, however many ask at once.
  PERFORM FROM public.accounts WHERE id = account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT id, url, status INTO held FROM public.webhook_endpoints
  WHERE account_id = account AND purpose = 'contact' AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF held.id IS NULL AND target IS NULL THEN
    RETURN QUERY SELECT NULL::uuid, false;
  ELSIF target IS NULL THEN
    UPDATE public.webhook_endpoints SET deleted_at = now(), sealed_secret = ''::bytea, sealed_previous_secret = NULL,
      version = version + 1, updated_at = now() WHERE id = held.id;
    RETURN QUERY SELECT held.id, true;
  ELSIF held.id IS NULL THEN
    INSERT INTO public.webhook_endpoints (id, account_id, url, event_types, event_scopes, purpose, status, sealed_secret,
      secret_rotated_at, version, judged_from, created_at, updated_at)
    VALUES (contact, account, target, ARRAY['build.service.webhook_endpoint.*'], ARRAY[]::text[], 'contact', 'enabled', ''::bytea,
      now(), 1, now(), now(), now());
    RETURN QUERY SELECT contact, true;
  ELSIF held.url = target AND held.status = 'enabled' THEN
    RETURN QUERY SELECT held.id, false;
  ELSE
    UPDATE public.webhook_endpoints SET url = target, status = 'enabled', disabled_reason = NULL, paused_until = NULL,
      failing_since = NULL, judged_from = now(), version = version + 1, updated_at = now() WHERE id = held.id;
    RETURN QUERY SELECT held.id, true;
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION set_webhook_contact(uuid, uuid, text) TO launchwire_internal;
