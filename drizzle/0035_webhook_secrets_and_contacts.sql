-- Expand only. Secrets that nothing needs are erased: an empty one is none, as the release before knows, and it signs with a previous
-- secret only until its time. The checks and the index read 100,000 endpoints in some 30 ms, in which endpoints are not changed.
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT "webhook_endpoints_previous_secret";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_previous_secret" CHECK ("webhook_endpoints"."sealed_previous_secret" is null or "webhook_endpoints"."previous_secret_expires_at" is not null);--> statement-breakpoint
CREATE INDEX "webhook_endpoints_erasable" ON "webhook_endpoints" USING btree ("id") WHERE "webhook_endpoints"."sealed_previous_secret" is not null or ("webhook_endpoints"."deleted_at" is not null and octet_length("webhook_endpoints"."sealed_secret") > 0);--> statement-breakpoint
-- Erases secrets and can do nothing else to them: the worker calls it, which may neither read nor write one. A previous secret has five
-- minutes beyond its end, because a relay signs by its own clock. Neither version nor `updated_at` changes: to the subscriber nothing has.
CREATE FUNCTION erase_webhook_secrets(most integer) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH erased AS (
    UPDATE public.webhook_endpoints SET
      sealed_secret = CASE WHEN deleted_at IS NULL THEN sealed_secret ELSE ''::bytea END, sealed_previous_secret = NULL
    WHERE id = ANY (ARRAY(
      SELECT id FROM public.webhook_endpoints
      WHERE (sealed_previous_secret IS NOT NULL OR (deleted_at IS NOT NULL AND octet_length(sealed_secret) > 0))
        AND (deleted_at IS NOT NULL OR previous_secret_expires_at < now() - interval '5 minutes')
      ORDER BY id LIMIT most FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING 1
  )
  SELECT count(*)::integer FROM erased;
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION erase_webhook_secrets(integer) FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION erase_webhook_secrets(integer) TO launchwire_worker;--> statement-breakpoint
-- The contact of an account: an endpoint that hears of the others. Columns without a value in old rows, so no table is rewritten; the
-- release before sends to a contact as to any other endpoint. Its secret is empty until its account rotates it: `v1a` signs.
ALTER TABLE "webhook_endpoints" ADD COLUMN "purpose" text DEFAULT 'subscription' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "failing_announced" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_purpose" CHECK ("webhook_endpoints"."purpose" in ('subscription', 'contact'));--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_contact" ON "webhook_endpoints" USING btree ("account_id") WHERE "webhook_endpoints"."purpose" = 'contact' and "webhook_endpoints"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "service_keys" DROP CONSTRAINT "service_keys_groups";--> statement-breakpoint
ALTER TABLE "service_keys" ADD CONSTRAINT "service_keys_groups" CHECK ("service_keys"."groups" <@ array['accounts', 'intents', 'tokens', 'wallets', 'rounds', 'presales', 'operations']::text[]);--> statement-breakpoint
-- Sets where the contact of an account is, or removes it (null), and says which endpoint it is and whether anything changed; no row for an
-- unknown account. For the internal API, which reads no endpoint and knows no secret.
CREATE FUNCTION set_webhook_contact(account uuid, contact uuid, target text) RETURNS TABLE (endpoint_id uuid, is_changed boolean)
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
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION set_webhook_contact(uuid, uuid, text) FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION set_webhook_contact(uuid, uuid, text) TO launchwire_internal;--> statement-breakpoint
GRANT UPDATE (failing_announced) ON webhook_endpoints TO launchwire_relay;
