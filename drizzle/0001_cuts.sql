-- What served releases before the first one.
DROP TRIGGER traders_uncounted ON trades;--> statement-breakpoint
DROP TRIGGER traders_uncounted_reversals ON trades;--> statement-breakpoint
DROP FUNCTION note_uncounted_traders;--> statement-breakpoint
DROP FUNCTION IF EXISTS read_stream_log, read_stream_kinds;--> statement-breakpoint
LOCK TABLE operations IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
DROP TABLE "operation_deliveries";--> statement-breakpoint
DROP TABLE "trader_backfills";--> statement-breakpoint
ALTER TABLE "intent_broadcasts" DROP CONSTRAINT "intent_broadcasts_protected";--> statement-breakpoint
ALTER TABLE "transaction_intents" DROP CONSTRAINT "transaction_intents_whole";--> statement-breakpoint
DROP FUNCTION transaction_intent_is_whole;--> statement-breakpoint
DROP INDEX "intent_broadcasts_protected_due";--> statement-breakpoint
ALTER TABLE "launches" ALTER COLUMN "config_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "candles" DROP COLUMN "spot_counted";--> statement-breakpoint
ALTER TABLE "candles" DROP COLUMN "sides_counted";--> statement-breakpoint
ALTER TABLE "event_order" DROP COLUMN "cluster";--> statement-breakpoint
ALTER TABLE "intent_broadcasts" DROP COLUMN "protected_send_at";--> statement-breakpoint
ALTER TABLE "transaction_intents" DROP COLUMN "keeps_route";--> statement-breakpoint
ALTER TABLE "relay_members" DROP COLUMN "delivers_trades";--> statement-breakpoint
REVOKE SELECT (beat_at) ON relay_members FROM launchwire_worker;--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD CONSTRAINT "transaction_intents_whole" CHECK (is_intent_whole("transaction_intents"."status", "transaction_intents"."completed_at", "transaction_intents"."error_code", "transaction_intents"."send_route", "transaction_intents"."kind", "transaction_intents"."priority_level", "transaction_intents"."signed_transaction", "transaction_intents"."submitted_at", "transaction_intents"."version"));
