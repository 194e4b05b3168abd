-- Expand only: the release before names no column that is new here, and writes endpoints without scopes, which means all.
-- The dropped indexes served no statement.
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_scopes";--> statement-breakpoint
DROP INDEX "operations_account";--> statement-breakpoint
DROP INDEX "transaction_intents_account";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "event_scopes" text[];--> statement-breakpoint
CREATE INDEX "operations_account_kind" ON "operations" USING btree ("account_id","kind","status","id");--> statement-breakpoint
CREATE INDEX "transaction_intents_account_kind" ON "transaction_intents" USING btree ("account_id","kind","status","id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" <@ array['operations:read', 'transactions:write', 'staking:read', 'fees:read', 'presales:read', 'predictions:read', 'predictions:write', 'audience:write', 'webhooks:read', 'webhooks:write']::text[]);--> statement-breakpoint
-- The api creates operations (exports of an audience) and shows subscribers the attempts at their endpoints.
GRANT INSERT (id, account_id, kind, status, input, created_at, due_at) ON operations TO launchwire_api;
GRANT SELECT (delivery_id, attempt_number, started_at, finished_at, succeeded, error_code, response_status,
  redirect_count, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response_body) ON webhook_attempts
  TO launchwire_api;
