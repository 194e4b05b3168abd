-- Own predictions, filters of lists, keys that their account manages, operations that it cancels (decisions/0078). Expand only: the
-- release before names nothing of this, and treats the new scope as any other.
CREATE INDEX "predictions_account" ON "predictions" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX "predictions_account_round" ON "predictions" USING btree ("account_id","round_id");--> statement-breakpoint
CREATE INDEX "prediction_rounds_by_status" ON "prediction_rounds" USING btree ("mint_address","status","ordinal" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "presales_by_status" ON "presales" USING btree ("status","ordinal" DESC NULLS FIRST);--> statement-breakpoint
-- Both serve what the index before them did.
CREATE INDEX "presales_by_mint" ON "presales" USING btree ("mint_address","ordinal");--> statement-breakpoint
DROP INDEX "presales_mint";--> statement-breakpoint
CREATE INDEX "api_keys_listing" ON "api_keys" USING btree ("account_id","created_at","id");--> statement-breakpoint
DROP INDEX "api_keys_account";--> statement-breakpoint
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_scopes";--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" <@ array['operations:read', 'transactions:write', 'staking:read', 'fees:read', 'presales:read', 'predictions:read', 'predictions:write', 'audience:write', 'webhooks:read', 'webhooks:write', 'keys:write']::text[]);--> statement-breakpoint
-- When a key was last used, to the minute. A table of its own: keys are read by every process and change when they are revoked only.
CREATE TABLE "api_key_uses" (
	"key_id" text PRIMARY KEY NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_key_uses" ADD CONSTRAINT "api_key_uses_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- One row a key, which changes once a minute at most: room on its page keeps the changes from the index.
ALTER TABLE api_key_uses SET (fillfactor = 50);--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (last_used_at) ON api_key_uses TO launchwire_api;--> statement-breakpoint
-- Revokes a key of an account, and can do nothing else to it: the api calls it, which may not change keys. Says since when the key is
-- revoked and whether it was this call; no row for a key of another account.
CREATE FUNCTION revoke_api_key(revoked_key text, owner uuid, at timestamptz) RETURNS TABLE (revoked_since timestamptz, is_new boolean)
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
END $$;--> statement-breakpoint
REVOKE ALL ON FUNCTION revoke_api_key(text, uuid, timestamptz) FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION revoke_api_key(text, uuid, timestamptz) TO launchwire_api;--> statement-breakpoint
-- Cancels an operation of an account, and can do nothing else to it: the api calls it, which may not change operations. A queued one ends
-- at once: it has no rows of its work yet. A running one is asked to stop at its next step, and is due now when no worker holds it. Returns
-- the status before; null when the account has no such operation.
CREATE FUNCTION cancel_operation(operation uuid, owner uuid, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  before text;
BEGIN
  SELECT o.status INTO before FROM public.operations o WHERE o.id = operation AND o.account_id = owner FOR NO KEY UPDATE;
  IF before = 'queued' THEN
    UPDATE public.operations SET status = 'cancelled', completed_at = at, due_at = NULL, lease_token = NULL, checkpoint = NULL
    WHERE id = operation;
  ELSIF before = 'running' THEN
    UPDATE public.operations SET cancel_requested_at = coalesce(cancel_requested_at, at),
      due_at = CASE WHEN lease_token IS NULL THEN now() ELSE due_at END
    WHERE id = operation;
  END IF;
  RETURN before;
END $$;--> statement-breakpoint
REVOKE ALL ON FUNCTION cancel_operation(uuid, uuid, timestamptz) FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION cancel_operation(uuid, uuid, timestamptz) TO launchwire_api;
