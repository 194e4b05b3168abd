CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"environment" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"wallet_address" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_environment" CHECK ("api_keys"."environment" in ('live', 'test')),
	CONSTRAINT "api_keys_id" CHECK ("api_keys"."id" ~ '^[0-9A-Za-z]{16}$'),
	CONSTRAINT "api_keys_secret_hash" CHECK (octet_length("api_keys"."secret_hash") = 32),
	CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" <@ array['operations:read', 'transactions:write', 'staking:read', 'fees:read', 'presales:read', 'predictions:read', 'predictions:write', 'webhooks:read', 'webhooks:write']::text[])
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"account_id" uuid,
	"only_endpoint_id" uuid,
	"body" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"published_at" timestamp with time zone,
	"fanned_out_at" timestamp with time zone,
	CONSTRAINT "events_body" CHECK (octet_length("events"."body") <= 65536)
);
--> statement-breakpoint
CREATE TABLE "idempotency_records" (
	"account_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"response_status" integer NOT NULL,
	"response_headers" jsonb NOT NULL,
	"response_body" "bytea" NOT NULL,
	"sealed" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_records_pk" PRIMARY KEY("account_id","key"),
	CONSTRAINT "idempotency_records_fingerprint" CHECK (octet_length("idempotency_records"."fingerprint") = 32),
	CONSTRAINT "idempotency_records_status" CHECK ("idempotency_records"."response_status" between 200 and 299)
);
--> statement-breakpoint
CREATE TABLE "holder_stats" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"holder_count" integer NOT NULL,
	"provenance" text NOT NULL,
	"slot" bigint NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "holder_stats_provenance" CHECK ("holder_stats"."provenance" in ('live_trade_index', 'trade_replay', 'onchain_snapshot')),
	CONSTRAINT "holder_stats_count" CHECK ("holder_stats"."holder_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "indexer_cursors" (
	"pool_address" text PRIMARY KEY NOT NULL,
	"last_signature" text NOT NULL,
	"last_slot" bigint NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "liquidity_locks" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"pool_address" text NOT NULL,
	"position_count" integer NOT NULL,
	"permanently_locked_bps" integer NOT NULL,
	"slot" bigint NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "liquidity_locks_positions" CHECK ("liquidity_locks"."position_count" >= 0),
	CONSTRAINT "liquidity_locks_bps" CHECK ("liquidity_locks"."permanently_locked_bps" between 0 and 10000)
);
--> statement-breakpoint
CREATE TABLE "token_markets" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"price_in_sol" numeric,
	"liquidity_in_sol" numeric DEFAULT '0' NOT NULL,
	"sol_collected_in_sol" numeric DEFAULT '0' NOT NULL,
	"holder_count" integer DEFAULT 0 NOT NULL,
	"last_position" text DEFAULT '' NOT NULL,
	"collected_position" text DEFAULT '' NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "token_markets_price" CHECK ("token_markets"."price_in_sol" > 0),
	CONSTRAINT "token_markets_liquidity" CHECK ("token_markets"."liquidity_in_sol" >= 0),
	CONSTRAINT "token_markets_holder_count" CHECK ("token_markets"."holder_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"ordinal" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tokens_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_wallet" text NOT NULL,
	"name" text NOT NULL,
	"symbol" text NOT NULL,
	"description" text,
	"image_url" text,
	"decimals" integer NOT NULL,
	"total_supply" numeric NOT NULL,
	"launch_type" text NOT NULL,
	"status" text NOT NULL,
	"launched_at" timestamp with time zone,
	"graduated_at" timestamp with time zone,
	"telegram" text,
	"twitter" text,
	"website" text,
	"pool_address" text,
	"predictions_enabled" boolean,
	"hidden" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tokens_ordinal" UNIQUE("ordinal"),
	CONSTRAINT "tokens_pool_address" UNIQUE("pool_address"),
	CONSTRAINT "tokens_launch_type" CHECK ("tokens"."launch_type" in ('dbc', 'pre_raise')),
	CONSTRAINT "tokens_status" CHECK ("tokens"."status" in ('pending', 'pending_launch_init', 'pending_escrows', 'pending_finalization', 'bonding', 'pre_raise_pending', 'pre_raising', 'pre_raise_settling', 'pre_raise_refunding', 'pre_raise_failed', 'graduating_migration_pending', 'graduated', 'graduation_failed', 'expired', 'cancelled', 'failed')),
	CONSTRAINT "tokens_name" CHECK (char_length("tokens"."name") between 1 and 128),
	CONSTRAINT "tokens_symbol" CHECK (char_length("tokens"."symbol") between 1 and 32),
	CONSTRAINT "tokens_decimals" CHECK ("tokens"."decimals" between 0 and 18),
	CONSTRAINT "tokens_total_supply" CHECK ("tokens"."total_supply" >= 0)
);
--> statement-breakpoint
CREATE TABLE "candles" (
	"mint_address" text NOT NULL,
	"interval" text NOT NULL,
	"open_time" timestamp with time zone NOT NULL,
	"open" numeric NOT NULL,
	"high" numeric NOT NULL,
	"low" numeric NOT NULL,
	"close" numeric NOT NULL,
	"volume_in_sol" numeric NOT NULL,
	"volume_in_token" numeric NOT NULL,
	"trade_count" integer NOT NULL,
	"open_position" text NOT NULL,
	"close_position" text NOT NULL,
	CONSTRAINT "candles_pk" PRIMARY KEY("mint_address","interval","open_time"),
	CONSTRAINT "candles_interval" CHECK ("candles"."interval" in ('1m', '5m', '15m', '1h', '4h', '1d')),
	CONSTRAINT "candles_range" CHECK ("candles"."low" <= least("candles"."open", "candles"."close") and "candles"."high" >= greatest("candles"."open", "candles"."close")),
	CONSTRAINT "candles_trade_count" CHECK ("candles"."trade_count" > 0)
);
--> statement-breakpoint
CREATE TABLE "reverted_trades" (
	"trade_id" uuid NOT NULL,
	"slot" bigint NOT NULL,
	"reverted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "reverted_trades_pk" PRIMARY KEY("trade_id","slot")
);
--> statement-breakpoint
CREATE TABLE "trades" (
	"id" uuid PRIMARY KEY NOT NULL,
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
	CONSTRAINT "trades_identity" UNIQUE("transaction_signature","outer_index","inner_index"),
	CONSTRAINT "trades_type" CHECK ("trades"."type" in ('buy', 'sell')),
	CONSTRAINT "trades_amounts" CHECK ("trades"."sol_amount" >= 0 and "trades"."token_amount" > 0),
	CONSTRAINT "trades_price" CHECK ("trades"."price_per_token_in_sol" >= 0),
	CONSTRAINT "trades_position" CHECK ("trades"."slot" >= 0 and "trades"."outer_index" >= 0 and "trades"."inner_index" >= 0)
);
--> statement-breakpoint
CREATE TABLE "intent_broadcasts" (
	"intent_id" uuid PRIMARY KEY NOT NULL,
	"send_count" integer DEFAULT 0 NOT NULL,
	"next_send_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transaction_intents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"expected_signer" text NOT NULL,
	"prepared_transaction" "bytea" NOT NULL,
	"signature_offset" integer NOT NULL,
	"signed_transaction" "bytea",
	"recent_blockhash" text,
	"last_valid_block_height" bigint,
	"policy" jsonb NOT NULL,
	"transaction_signature" text,
	"error_code" text,
	"error_detail" text,
	"version" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"submitted_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	CONSTRAINT "transaction_intents_status" CHECK ("transaction_intents"."status" in ('prepared', 'submitted', 'confirmed', 'expired', 'failed')),
	CONSTRAINT "transaction_intents_kind" CHECK ("transaction_intents"."kind" ~ '^[a-z][a-z0-9_]*$'),
	CONSTRAINT "transaction_intents_version" CHECK ("transaction_intents"."version" > 0),
	CONSTRAINT "transaction_intents_error_code" CHECK ("transaction_intents"."error_code" in ('solana_transaction_failed', 'transaction_intent_invalid_state', 'transaction_intent_expired', 'transaction_intent_broadcast_exhausted', 'solana_blockhash_expired', 'solana_signature_mismatch')),
	CONSTRAINT "transaction_intents_error" CHECK (("transaction_intents"."status" = 'failed') = ("transaction_intents"."error_code" is not null)),
	CONSTRAINT "transaction_intents_signed" CHECK (("transaction_intents"."status" in ('submitted', 'confirmed', 'failed')) = ("transaction_intents"."signed_transaction" is not null and "transaction_intents"."submitted_at" is not null)),
	CONSTRAINT "transaction_intents_completed" CHECK (("transaction_intents"."status" in ('confirmed', 'expired', 'failed')) = ("transaction_intents"."completed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL,
	"attempt_number" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"succeeded" boolean,
	"error_code" text,
	"response_status" integer,
	"resolved_address" text,
	"redirect_count" integer,
	"dns_ms" integer,
	"connect_ms" integer,
	"tls_ms" integer,
	"first_byte_ms" integer,
	"total_ms" integer,
	"response_body" "bytea",
	CONSTRAINT "webhook_attempts_number" UNIQUE("delivery_id","attempt_number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"status" text NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"schedule_index" integer DEFAULT 0 NOT NULL,
	"replay_count" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"lease_expires_at" timestamp with time zone,
	"last_error_code" text,
	"response_status" integer,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_event" UNIQUE("endpoint_id","event_id"),
	CONSTRAINT "webhook_deliveries_status" CHECK ("webhook_deliveries"."status" in ('pending', 'processing', 'succeeded', 'retrying', 'dead_letter')),
	CONSTRAINT "webhook_deliveries_replays" CHECK ("webhook_deliveries"."replay_count" between 0 and 10),
	CONSTRAINT "webhook_deliveries_due_time" CHECK (("webhook_deliveries"."status" in ('pending', 'retrying')) = ("webhook_deliveries"."next_attempt_at" is not null)),
	CONSTRAINT "webhook_deliveries_lease" CHECK (("webhook_deliveries"."status" = 'processing') = ("webhook_deliveries"."lease_expires_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"event_types" text[] NOT NULL,
	"status" text NOT NULL,
	"disabled_reason" text,
	"sealed_secret" "bytea" NOT NULL,
	"secret_rotated_at" timestamp with time zone NOT NULL,
	"sealed_previous_secret" "bytea",
	"previous_secret_expires_at" timestamp with time zone,
	"version" integer NOT NULL,
	"paused_until" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_endpoints_status" CHECK ("webhook_endpoints"."status" in ('enabled', 'disabled')),
	CONSTRAINT "webhook_endpoints_disabled_reason" CHECK ("webhook_endpoints"."disabled_reason" in ('manual', 'gone', 'failing')),
	CONSTRAINT "webhook_endpoints_disabled" CHECK (("webhook_endpoints"."status" = 'disabled') = ("webhook_endpoints"."disabled_reason" is not null)),
	CONSTRAINT "webhook_endpoints_version" CHECK ("webhook_endpoints"."version" > 0),
	CONSTRAINT "webhook_endpoints_previous_secret" CHECK (("webhook_endpoints"."sealed_previous_secret" is null) = ("webhook_endpoints"."previous_secret_expires_at" is null))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_stats" ADD CONSTRAINT "holder_stats_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "liquidity_locks" ADD CONSTRAINT "liquidity_locks_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_markets" ADD CONSTRAINT "token_markets_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candles" ADD CONSTRAINT "candles_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trades" ADD CONSTRAINT "trades_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "intent_broadcasts" ADD CONSTRAINT "intent_broadcasts_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD CONSTRAINT "transaction_intents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "events_unpublished" ON "events" USING btree ("id") WHERE "events"."published_at" is null;--> statement-breakpoint
CREATE INDEX "events_not_fanned_out" ON "events" USING btree ("id") WHERE "events"."fanned_out_at" is null;--> statement-breakpoint
CREATE INDEX "events_created" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "idempotency_records_expiry" ON "idempotency_records" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "liquidity_locks_pool" ON "liquidity_locks" USING btree ("pool_address");--> statement-breakpoint
CREATE INDEX "tokens_listing" ON "tokens" USING btree ("ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";--> statement-breakpoint
CREATE INDEX "tokens_listing_status" ON "tokens" USING btree ("status","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";--> statement-breakpoint
CREATE INDEX "tokens_listing_launch_type" ON "tokens" USING btree ("launch_type","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";--> statement-breakpoint
CREATE INDEX "tokens_listing_status_launch_type" ON "tokens" USING btree ("status","launch_type","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";--> statement-breakpoint
CREATE INDEX "reverted_trades_age" ON "reverted_trades" USING btree ("reverted_at");--> statement-breakpoint
CREATE INDEX "trades_chain_order" ON "trades" USING btree ("mint_address","slot" DESC NULLS FIRST,"transaction_index" DESC NULLS FIRST,"outer_index" DESC NULLS FIRST,"inner_index" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "intent_broadcasts_due" ON "intent_broadcasts" USING btree ("next_send_at");--> statement-breakpoint
CREATE INDEX "transaction_intents_account" ON "transaction_intents" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "transaction_intents_expiry" ON "transaction_intents" USING btree ("expires_at") WHERE "transaction_intents"."status" = 'prepared';--> statement-breakpoint
CREATE INDEX "transaction_intents_block_height" ON "transaction_intents" USING btree ("last_valid_block_height") WHERE "transaction_intents"."status" = 'prepared';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_status" ON "webhook_deliveries" USING btree ("endpoint_id","status","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at","endpoint_id") WHERE "webhook_deliveries"."status" in ('pending', 'retrying');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_open" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at","id") WHERE "webhook_deliveries"."status" in ('pending', 'retrying');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leases" ON "webhook_deliveries" USING btree ("lease_expires_at") WHERE "webhook_deliveries"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_account" ON "webhook_endpoints" USING btree ("account_id","id") WHERE "webhook_endpoints"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_enabled" ON "webhook_endpoints" USING btree ("account_id","created_at") WHERE "webhook_endpoints"."deleted_at" is null and "webhook_endpoints"."status" = 'enabled';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_inactive" ON "webhook_endpoints" USING btree ("id") WHERE "webhook_endpoints"."status" = 'disabled' or "webhook_endpoints"."deleted_at" is not null;