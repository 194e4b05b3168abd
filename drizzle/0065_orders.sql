-- Orders that wait for a price (contract/orders): swaps over a durable nonce that a wallet signed once, kept sealed until a trade
-- crosses their price. Expand only: the release before neither writes nor reads them.
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"slot_id" uuid NOT NULL,
	"wallet_address" text NOT NULL,
	"nonce_address" text NOT NULL,
	"nonce" text NOT NULL,
	"oco_group" text,
	"mint_address" text NOT NULL,
	"side" text NOT NULL,
	"amount_raw" numeric NOT NULL,
	"limit_raw" numeric NOT NULL,
	"slippage_bps" integer,
	"trigger_price" numeric NOT NULL,
	"trigger_when" text NOT NULL,
	"trigger_of" text NOT NULL,
	"send_route" text NOT NULL,
	"priority_level" text,
	"tip_lamports" bigint NOT NULL,
	"status" text NOT NULL,
	"version" integer NOT NULL,
	"reason" text,
	"refusal" jsonb,
	"expires_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone,
	"triggered_at" timestamp with time zone,
	"trigger_trade_id" uuid,
	"trigger_slot" bigint,
	"trigger_observed_price" numeric,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"intent_id" uuid,
	"advance_intent_id" uuid,
	"completed_at" timestamp with time zone,
	CONSTRAINT "orders_status" CHECK ("orders"."status" in ('unsigned', 'open', 'triggered', 'landed', 'failed', 'cancelled', 'expired', 'voided')),
	CONSTRAINT "orders_version" CHECK ("orders"."version" > 0),
	CONSTRAINT "orders_side" CHECK ("orders"."side" in ('buy', 'sell')),
	CONSTRAINT "orders_trigger_when" CHECK ("orders"."trigger_when" in ('at_or_above', 'at_or_below')),
	CONSTRAINT "orders_trigger_of" CHECK ("orders"."trigger_of" in ('trade', 'spot')),
	CONSTRAINT "orders_send_route" CHECK ("orders"."send_route" in ('fast', 'protected')),
	CONSTRAINT "orders_priority_level" CHECK ("orders"."priority_level" in ('min', 'low', 'medium', 'high', 'veryHigh')),
	CONSTRAINT "orders_amounts" CHECK ("orders"."amount_raw" > 0 and "orders"."limit_raw" > 0 and "orders"."trigger_price" > 0),
	CONSTRAINT "orders_completed" CHECK (("orders"."status" in ('unsigned', 'open', 'triggered')) = ("orders"."completed_at" is null)),
	CONSTRAINT "orders_opened" CHECK ("orders"."status" not in ('open', 'triggered', 'landed', 'failed') or "orders"."opened_at" is not null),
	CONSTRAINT "orders_trigger" CHECK (num_nulls("orders"."triggered_at", "orders"."trigger_trade_id", "orders"."trigger_slot", "orders"."trigger_observed_price") in (0, 4)),
	CONSTRAINT "orders_triggered" CHECK ("orders"."status" in ('triggered', 'landed', 'failed') = ("orders"."triggered_at" is not null) or "orders"."status" in ('cancelled', 'expired', 'voided')),
	CONSTRAINT "orders_next_attempt" CHECK ("orders"."status" <> 'triggered' or "orders"."intent_id" is not null or "orders"."next_attempt_at" is not null),
	CONSTRAINT "orders_reason" CHECK (("orders"."status" in ('failed', 'cancelled', 'expired', 'voided')) = ("orders"."reason" is not null))
);
--> statement-breakpoint
-- The transactions of an order: one for the curve, one for the pool after the migration, over the same nonce.
CREATE TABLE "order_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"prepared_transaction" "bytea" NOT NULL,
	"signature_offset" integer NOT NULL,
	"message_hash" "bytea" NOT NULL,
	"policy" jsonb NOT NULL,
	"quote" jsonb NOT NULL,
	"sending" jsonb NOT NULL,
	"sealed_transaction" "bytea",
	"signed_at" timestamp with time zone,
	CONSTRAINT "order_transactions_venue" UNIQUE("order_id","venue"),
	CONSTRAINT "order_transactions_message" UNIQUE("message_hash"),
	CONSTRAINT "order_transactions_venues" CHECK ("order_transactions"."venue" in ('curve', 'amm')),
	CONSTRAINT "order_transactions_hash" CHECK (octet_length("order_transactions"."message_hash") = 32),
	CONSTRAINT "order_transactions_signed" CHECK ("order_transactions"."sealed_transaction" is null or "order_transactions"."signed_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_slot_id_order_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."order_slots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_advance_intent_id_transaction_intents_id_fk" FOREIGN KEY ("advance_intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_transactions" ADD CONSTRAINT "order_transactions_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_account" ON "orders" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX "orders_account_mint" ON "orders" USING btree ("account_id","mint_address","status","id");--> statement-breakpoint
CREATE INDEX "orders_trigger_price" ON "orders" USING btree ("mint_address","trigger_of","trigger_when","trigger_price") WHERE "orders"."status" = 'open';--> statement-breakpoint
CREATE INDEX "orders_trigger_trade" ON "orders" USING btree ("trigger_trade_id") WHERE "orders"."status" = 'triggered' and "orders"."intent_id" is null;--> statement-breakpoint
CREATE INDEX "orders_next_attempt" ON "orders" USING btree ("next_attempt_at") WHERE "orders"."status" = 'triggered' and "orders"."intent_id" is null;--> statement-breakpoint
CREATE INDEX "orders_sent" ON "orders" USING btree ("intent_id") WHERE "orders"."status" = 'triggered' and "orders"."intent_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_ends" ON "orders" USING btree ("ends_at") WHERE "orders"."status" in ('unsigned', 'open', 'triggered') and "orders"."intent_id" is null;--> statement-breakpoint
CREATE INDEX "orders_slot" ON "orders" USING btree ("slot_id") WHERE "orders"."status" in ('unsigned', 'open', 'triggered');--> statement-breakpoint
CREATE FUNCTION log_order() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  INSERT INTO public.stream_log (kind, account_id, ref, at) VALUES ('order', NEW.account_id, NEW.id, clock_timestamp());
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_added AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION log_order();
--> statement-breakpoint
CREATE TRIGGER orders_changed AFTER UPDATE OF status ON orders FOR EACH ROW
  WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION log_order();
--> statement-breakpoint
REVOKE ALL ON FUNCTION log_order() FROM PUBLIC;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (advance_intent_id, attempts, completed_at, ends_at, intent_id, next_attempt_at, opened_at, reason, refusal, status, trigger_observed_price, trigger_slot, trigger_trade_id, triggered_at, version) ON orders TO launchwire_api;--> statement-breakpoint
GRANT SELECT, UPDATE (attempts, completed_at, ends_at, intent_id, next_attempt_at, opened_at, reason, refusal, status, trigger_observed_price, trigger_slot, trigger_trade_id, triggered_at, version) ON orders TO launchwire_worker;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (sealed_transaction, signed_at) ON order_transactions TO launchwire_api;--> statement-breakpoint
GRANT SELECT, UPDATE (sealed_transaction) ON order_transactions TO launchwire_worker;--> statement-breakpoint
-- The worker stores the intent of an order that it sends.
GRANT INSERT (account_id, created_at, expected_signer, expires_at, id, keeps_route, kind, last_valid_block_height, launch_id, mint_address, policy, prepared_transaction, priority_level, quote, recent_blockhash, send_route, signature_offset, signed_transaction, status, submitted_at, tip_lamports, transaction_signature, version) ON transaction_intents TO launchwire_worker;
