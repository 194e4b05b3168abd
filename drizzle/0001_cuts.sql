-- What served releases before the first one, and the contacts of accounts.
DROP TRIGGER traders_uncounted ON trades;--> statement-breakpoint
DROP TRIGGER traders_uncounted_reversals ON trades;--> statement-breakpoint
DROP FUNCTION note_uncounted_traders;--> statement-breakpoint
DROP FUNCTION IF EXISTS read_stream_log, read_stream_kinds, set_webhook_contact;--> statement-breakpoint
LOCK TABLE operations IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
DROP TABLE "operation_deliveries";--> statement-breakpoint
DROP TABLE "trader_backfills";--> statement-breakpoint
ALTER TABLE "service_keys" DROP CONSTRAINT "service_keys_groups";--> statement-breakpoint
ALTER TABLE "intent_broadcasts" DROP CONSTRAINT "intent_broadcasts_protected";--> statement-breakpoint
ALTER TABLE "transaction_intents" DROP CONSTRAINT "transaction_intents_whole";--> statement-breakpoint
DROP FUNCTION transaction_intent_is_whole;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT "webhook_endpoints_purpose";--> statement-breakpoint
DROP INDEX "intent_broadcasts_protected_due";--> statement-breakpoint
DROP INDEX "webhook_endpoints_contact";--> statement-breakpoint
DROP INDEX "webhook_endpoints_erasable";--> statement-breakpoint
ALTER TABLE "launches" ALTER COLUMN "config_name" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_erasable" ON "webhook_endpoints" USING btree ("id") WHERE "webhook_endpoints"."sealed_previous_secret" is not null;--> statement-breakpoint
ALTER TABLE "event_order" DROP COLUMN "cluster";--> statement-breakpoint
ALTER TABLE "candles" DROP COLUMN "spot_counted";--> statement-breakpoint
ALTER TABLE "candles" DROP COLUMN "sides_counted";--> statement-breakpoint
ALTER TABLE "intent_broadcasts" DROP COLUMN "protected_send_at";--> statement-breakpoint
ALTER TABLE "transaction_intents" DROP COLUMN "keeps_route";--> statement-breakpoint
ALTER TABLE "relay_members" DROP COLUMN "delivers_trades";--> statement-breakpoint
REVOKE SELECT (beat_at) ON relay_members FROM launchwire_worker;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP COLUMN "purpose";--> statement-breakpoint
UPDATE service_keys SET groups = array_remove(groups, 'accounts') WHERE 'accounts' = ANY (groups);--> statement-breakpoint
ALTER TABLE "service_keys" ADD CONSTRAINT "service_keys_groups" CHECK ("service_keys"."groups" <@ array['intents', 'tokens', 'wallets', 'rounds', 'presales', 'operations']::text[]);--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD CONSTRAINT "transaction_intents_whole" CHECK (is_intent_whole("transaction_intents"."status", "transaction_intents"."completed_at", "transaction_intents"."error_code", "transaction_intents"."send_route", "transaction_intents"."kind", "transaction_intents"."priority_level", "transaction_intents"."signed_transaction", "transaction_intents"."submitted_at", "transaction_intents"."version"));
