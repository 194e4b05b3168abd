-- The tables that grow with traffic are partitioned, so that what is old leaves as whole partitions (decision 0019).
-- The key of each is known to every statement that looks one row up, and belongs to its unique key.
-- What is stored comes along by way of the default partitions; `migrate` then makes the partitions it belongs to.
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_event_id_events_id_fk";
CREATE SCHEMA "before_partitions";
ALTER TABLE "events" SET SCHEMA "before_partitions";
ALTER TABLE "webhook_attempts" SET SCHEMA "before_partitions";
ALTER TABLE "trades" SET SCHEMA "before_partitions";
--> statement-breakpoint
-- By week of the UUIDv7.
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"account_id" uuid,
	"only_endpoint_id" uuid,
	"body" text NOT NULL,
	"traceparent" text,
	"created_at" timestamp with time zone NOT NULL,
	"published_at" timestamp with time zone,
	"fanned_out_at" timestamp with time zone,
	CONSTRAINT "events_body" CHECK (octet_length("events"."body") <= 65536)
) PARTITION BY RANGE ("id");
CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;
INSERT INTO "events" (id, type, subject, account_id, only_endpoint_id, body, traceparent, created_at, published_at, fanned_out_at)
	SELECT id, type, subject, account_id, only_endpoint_id, body, traceparent, created_at, published_at, fanned_out_at
	FROM "before_partitions"."events";
ALTER TABLE "events" ADD CONSTRAINT "events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "events_unpublished" ON "events" USING btree ("id") WHERE "events"."published_at" is null;
CREATE INDEX "events_not_fanned_out" ON "events" USING btree ("id") WHERE "events"."fanned_out_at" is null;
CREATE INDEX "events_created" ON "events" USING btree ("created_at");
--> statement-breakpoint
-- By week of the delivery's UUIDv7.
CREATE TABLE "webhook_attempts" (
	"delivery_id" uuid NOT NULL,
	"attempt_number" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"succeeded" boolean,
	"error_code" text,
	"error_detail" text,
	"response_status" integer,
	"resolved_address" text,
	"redirect_count" integer,
	"dns_ms" integer,
	"connect_ms" integer,
	"tls_ms" integer,
	"first_byte_ms" integer,
	"total_ms" integer,
	"response_body" "bytea",
	CONSTRAINT "webhook_attempts_pk" PRIMARY KEY("delivery_id","attempt_number"),
	CONSTRAINT "webhook_attempts_error_detail" CHECK (char_length("webhook_attempts"."error_detail") <= 500)
) PARTITION BY RANGE ("delivery_id");
CREATE TABLE "webhook_attempts_default" PARTITION OF "webhook_attempts" DEFAULT;
INSERT INTO "webhook_attempts" (delivery_id, attempt_number, started_at, finished_at, succeeded, error_code, error_detail,
		response_status, resolved_address, redirect_count, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response_body)
	SELECT delivery_id, attempt_number, started_at, finished_at, succeeded, error_code, error_detail,
		response_status, resolved_address, redirect_count, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response_body
	FROM "before_partitions"."webhook_attempts";
--> statement-breakpoint
-- By ten million slots, some 46 days: slots are the chain's clock, and what every reader orders by.
CREATE TABLE "trades" (
	"id" uuid NOT NULL,
	"mint_address" text NOT NULL,
	"type" text NOT NULL,
	"trader_wallet" text NOT NULL,
	"sol_amount" numeric NOT NULL,
	"token_amount" numeric NOT NULL,
	"price_per_token_in_sol" numeric NOT NULL,
	"spot_price_in_sol" numeric,
	"liquidity_in_sol" numeric,
	"slot" bigint NOT NULL,
	"transaction_index" integer NOT NULL,
	"outer_index" integer NOT NULL,
	"inner_index" integer NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"transaction_signature" text NOT NULL,
	CONSTRAINT "trades_pk" PRIMARY KEY("id","slot"),
	CONSTRAINT "trades_type" CHECK ("trades"."type" in ('buy', 'sell')),
	CONSTRAINT "trades_amounts" CHECK ("trades"."sol_amount" >= 0 and "trades"."token_amount" > 0),
	CONSTRAINT "trades_price" CHECK ("trades"."price_per_token_in_sol" >= 0),
	CONSTRAINT "trades_position" CHECK ("trades"."slot" >= 0 and "trades"."outer_index" >= 0 and "trades"."inner_index" >= 0)
) PARTITION BY RANGE ("slot");
CREATE TABLE "trades_default" PARTITION OF "trades" DEFAULT;
INSERT INTO "trades" (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol,
		spot_price_in_sol, liquidity_in_sol, slot, transaction_index, outer_index, inner_index, block_time, transaction_signature)
	SELECT id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol,
		spot_price_in_sol, liquidity_in_sol, slot, transaction_index, outer_index, inner_index, block_time, transaction_signature
	FROM "before_partitions"."trades";
ALTER TABLE "trades" ADD CONSTRAINT "trades_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;
CREATE INDEX "trades_chain_order" ON "trades" USING btree ("mint_address","slot" DESC NULLS FIRST,"transaction_index" DESC NULLS FIRST,"outer_index" DESC NULLS FIRST,"inner_index" DESC NULLS FIRST,"id" DESC NULLS FIRST);
CREATE TABLE "trade_floor" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"slot" bigint NOT NULL,
	CONSTRAINT "trade_floor_only_row" CHECK ("trade_floor"."only_row")
);
DROP SCHEMA "before_partitions" CASCADE;
--> statement-breakpoint
-- The same rights as before, all by way of the parent; partitions themselves are closed. The worker deletes deliveries.
GRANT INSERT (id, type, subject, account_id, only_endpoint_id, body, created_at, traceparent) ON events TO launchwire_api;
GRANT SELECT, INSERT (id, type, subject, account_id, only_endpoint_id, body, created_at, traceparent), UPDATE (published_at)
  ON events TO launchwire_worker;
GRANT SELECT, INSERT (id, type, subject, account_id, only_endpoint_id, body, created_at, traceparent), UPDATE (fanned_out_at)
  ON events TO launchwire_relay;
GRANT SELECT, INSERT, UPDATE ON webhook_attempts TO launchwire_relay;
GRANT SELECT ON trades TO launchwire_api;
GRANT SELECT, INSERT, DELETE ON trades TO launchwire_worker;
GRANT SELECT ON trade_floor TO launchwire_worker;
GRANT DELETE ON webhook_deliveries TO launchwire_worker;
