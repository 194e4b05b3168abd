-- Everything that version 0.1.0 stores. Later changes are numbered files beside this one; the text of every function is in functions/.
-- Nothing is open to everybody. The database itself only where the owner migrates it; elsewhere its owner decides.
DO $$
BEGIN
  IF (SELECT pg_has_role(current_user, datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) THEN
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO launchwire_api, launchwire_worker, launchwire_relay, launchwire_internal',
      current_database());
  END IF;
END $$;
--> statement-breakpoint
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO launchwire_api, launchwire_worker, launchwire_relay, launchwire_internal;
--> statement-breakpoint
CREATE SEQUENCE "public"."log_timeline" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_key_uses" (
	"key_id" text PRIMARY KEY NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL
) WITH (fillfactor=50);
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
	CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" <@ array['operations:read', 'transactions:write', 'staking:read', 'fees:read', 'presales:read', 'predictions:read', 'predictions:write', 'audience:write', 'webhooks:read', 'webhooks:write', 'keys:write']::text[])
);
--> statement-breakpoint
CREATE TABLE "platform_fee_accounts" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "platform_fee_accounts_address" CHECK ("platform_fee_accounts"."address" ~ '^[1-9A-HJ-NP-Za-km-z]{32,44}$')
);
--> statement-breakpoint
CREATE TABLE "event_order" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"cluster" text NOT NULL,
	"origin" text DEFAULT '' NOT NULL,
	"first_place" bigint DEFAULT 281474976710656 NOT NULL,
	"epoch_timeline" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "event_order_only_row" CHECK ("event_order"."only_row")
);
--> statement-breakpoint
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
	"recorded_in" "xid8" DEFAULT event_place() NOT NULL,
	CONSTRAINT "events_body" CHECK (octet_length("events"."body") <= 65536)
) PARTITION BY RANGE (id);
--> statement-breakpoint
CREATE TABLE events_default PARTITION OF events DEFAULT;--> statement-breakpoint
CREATE TABLE "fee_claim_intents" (
	"intent_id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"wallet_address" text NOT NULL,
	"claims" jsonb NOT NULL,
	"in_sol" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"transaction_signature" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "fee_claim_intents_in_sol" CHECK ("fee_claim_intents"."in_sol" >= 0)
);
--> statement-breakpoint
CREATE TABLE "fee_claims" (
	"transaction_signature" text NOT NULL,
	"outer_index" integer NOT NULL,
	"inner_index" integer NOT NULL,
	"mint_address" text NOT NULL,
	"pool_address" text NOT NULL,
	"kind" text NOT NULL,
	"claimant_wallet" text NOT NULL,
	"position_address" text,
	"recipient_wallet" text NOT NULL,
	"amount_lamports" numeric NOT NULL,
	"slot" bigint NOT NULL,
	"claimed_at" timestamp with time zone NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	CONSTRAINT "fee_claims_pk" PRIMARY KEY("transaction_signature","outer_index","inner_index"),
	CONSTRAINT "fee_claims_status" CHECK ("fee_claims"."status" in ('pending', 'distributed', 'other')),
	CONSTRAINT "fee_claims_amount" CHECK ("fee_claims"."amount_lamports" > 0 and "fee_claims"."slot" >= 0)
);
--> statement-breakpoint
CREATE TABLE "fee_pools" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"pool_address" text NOT NULL,
	"config_address" text,
	"partner_wallet" text,
	"creator_wallet" text,
	"leftover_wallet" text,
	"amm_pool_address" text,
	"read_slot" bigint,
	"checked_at" timestamp with time zone NOT NULL,
	"problem" text,
	CONSTRAINT "fee_pools_slot" CHECK ("fee_pools"."read_slot" >= 0)
);
--> statement-breakpoint
CREATE TABLE "fee_positions" (
	"position_address" text PRIMARY KEY NOT NULL,
	"mint_address" text NOT NULL,
	"owner_wallet" text NOT NULL,
	"nft_mint_address" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fee_claimables" (
	"mint_address" text NOT NULL,
	"wallet_address" text NOT NULL,
	"claimable_lamports" numeric NOT NULL,
	"slot" bigint NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"source" text DEFAULT 'feed' NOT NULL,
	CONSTRAINT "fee_claimables_pk" PRIMARY KEY("mint_address","wallet_address"),
	CONSTRAINT "fee_claimables_source" CHECK ("fee_claimables"."source" in ('feed', 'chain')),
	CONSTRAINT "fee_claimables_amount" CHECK ("fee_claimables"."claimable_lamports" >= 0 and "fee_claimables"."slot" >= 0)
);
--> statement-breakpoint
CREATE TABLE "fee_distributions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ordinal" bigint GENERATED ALWAYS AS IDENTITY (sequence name "fee_distributions_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"mint_address" text NOT NULL,
	"recipient_wallet" text NOT NULL,
	"role" text NOT NULL,
	"amount_lamports" numeric NOT NULL,
	"transaction_signature" text NOT NULL,
	"instruction_index" integer NOT NULL,
	"slot" bigint NOT NULL,
	"distributed_at" timestamp with time zone NOT NULL,
	"source" text DEFAULT 'feed' NOT NULL,
	CONSTRAINT "fee_distributions_ordinal" UNIQUE("ordinal"),
	CONSTRAINT "fee_distributions_identity" UNIQUE("transaction_signature","instruction_index"),
	CONSTRAINT "fee_distributions_source" CHECK ("fee_distributions"."source" in ('feed', 'chain')),
	CONSTRAINT "fee_distributions_role" CHECK ("fee_distributions"."role" in ('creator', 'platform', 'stakers')),
	CONSTRAINT "fee_distributions_amount" CHECK ("fee_distributions"."amount_lamports" > 0 and "fee_distributions"."slot" >= 0)
);
--> statement-breakpoint
CREATE TABLE "fee_states" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"creator_bps" integer NOT NULL,
	"platform_bps" integer NOT NULL,
	"stakers_bps" integer NOT NULL,
	"accrued_lamports" numeric NOT NULL,
	"distributed_lamports" numeric,
	"slot" bigint NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"source" text DEFAULT 'feed' NOT NULL,
	CONSTRAINT "fee_states_source" CHECK ("fee_states"."source" in ('feed', 'chain')),
	CONSTRAINT "fee_states_distributed" CHECK ("fee_states"."distributed_lamports" >= 0),
	CONSTRAINT "fee_states_bps" CHECK ("fee_states"."creator_bps" >= 0 and "fee_states"."platform_bps" >= 0 and "fee_states"."stakers_bps" >= 0
        and "fee_states"."creator_bps" + "fee_states"."platform_bps" + "fee_states"."stakers_bps" <= 10000),
	CONSTRAINT "fee_states_accrued" CHECK ("fee_states"."accrued_lamports" >= 0 and "fee_states"."slot" >= 0)
);
--> statement-breakpoint
CREATE TABLE "fee_totals" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"distributed_lamports" numeric NOT NULL,
	CONSTRAINT "fee_totals_distributed" CHECK ("fee_totals"."distributed_lamports" >= 0)
);
--> statement-breakpoint
CREATE TABLE "followed_trades" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "followed_trades_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"trade_id" uuid NOT NULL,
	"slot" bigint NOT NULL,
	"of_wallet" boolean NOT NULL,
	"of_token" boolean NOT NULL
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.2, autovacuum_analyze_scale_factor=0.2);
--> statement-breakpoint
CREATE TABLE "trade_followers" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"stamp" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "trade_followers_only_row" CHECK ("trade_followers"."only_row")
);
--> statement-breakpoint
CREATE TABLE "holder_accounts" (
	"mint_address" text NOT NULL,
	"account_address" text NOT NULL,
	"owner_address" text NOT NULL,
	"balance_raw" numeric NOT NULL,
	"slot" bigint NOT NULL,
	"place" integer NOT NULL,
	CONSTRAINT "holder_accounts_mint_address_account_address_pk" PRIMARY KEY("mint_address","account_address"),
	CONSTRAINT "holder_accounts_balance" CHECK ("holder_accounts"."balance_raw" >= 0)
);
--> statement-breakpoint
CREATE TABLE "holder_counting" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"is_followed" boolean DEFAULT true NOT NULL,
	"snapshot_slot" bigint,
	"merging_slot" bigint,
	"required_slot" bigint DEFAULT 0 NOT NULL,
	"seen_slot" bigint DEFAULT 0 NOT NULL,
	"latest_slot" bigint,
	"latest_at" timestamp with time zone,
	"holder_count" integer,
	"protocol_accounts" text[] NOT NULL,
	"next_snapshot_at" timestamp with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "holder_counting_count" CHECK ("holder_counting"."holder_count" >= 0)
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
CREATE TABLE "images" (
	"account_id" uuid NOT NULL,
	"source_hash" text NOT NULL,
	"hash" text NOT NULL,
	"content_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"byte_length" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "images_pk" PRIMARY KEY("account_id","source_hash"),
	CONSTRAINT "images_hashes" CHECK ("images"."source_hash" ~ '^[0-9a-f]{64}$' and "images"."hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "images_sizes" CHECK ("images"."width" > 0 and "images"."height" > 0 and "images"."byte_length" > 0)
);
--> statement-breakpoint
CREATE TABLE "database_histories" (
	"history" text PRIMARY KEY NOT NULL,
	"met_at" timestamp with time zone NOT NULL
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
CREATE TABLE "ingest_position" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"generation" text NOT NULL,
	"stream" text,
	"through" bigint DEFAULT 0 NOT NULL,
	"recorded_at" timestamp with time zone,
	CONSTRAINT "ingest_position_only_row" CHECK ("ingest_position"."only_row")
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
CREATE TABLE "market_overview" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"as_of" timestamp with time zone,
	"computed_at" timestamp with time zone,
	"body" json,
	CONSTRAINT "market_overview_only_row" CHECK ("market_overview"."only_row"),
	CONSTRAINT "market_overview_whole" CHECK (("market_overview"."as_of" is null) = ("market_overview"."body" is null) and ("market_overview"."computed_at" is null) = ("market_overview"."body" is null))
);
--> statement-breakpoint
CREATE TABLE "source_proofs" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"through" timestamp with time zone NOT NULL,
	"slot" bigint NOT NULL
) WITH (fillfactor=50);
--> statement-breakpoint
CREATE TABLE "token_pools" (
	"pool_address" text PRIMARY KEY NOT NULL,
	"mint_address" text NOT NULL,
	"program" text NOT NULL,
	"unusable_reason" text,
	"curve_pool_address" text,
	"config_address" text,
	"graduation_threshold_in_sol" numeric,
	"migration_signature" text,
	"migration_slot" bigint,
	"migration_transaction_index" integer,
	"rests_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "token_pools_program" CHECK ("token_pools"."program" in ('dbc', 'damm_v2', 'damm_v1', 'other')),
	CONSTRAINT "token_pools_reason" CHECK ("token_pools"."unusable_reason" in ('other_program', 'mint_differs', 'quote_is_not_sol', 'stable_pool', 'unreadable')),
	CONSTRAINT "token_pools_graduation_threshold" CHECK ("token_pools"."graduation_threshold_in_sol" > 0)
);
--> statement-breakpoint
CREATE TABLE "unfinal_batches" (
	"pool_address" text NOT NULL,
	"signature" text NOT NULL,
	"slot" bigint NOT NULL,
	"noted_at" timestamp with time zone NOT NULL,
	"taken_back_at" timestamp with time zone,
	CONSTRAINT "unfinal_batches_pool_address_signature_slot_pk" PRIMARY KEY("pool_address","signature","slot")
);
--> statement-breakpoint
CREATE TABLE "launches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"intent_id" uuid NOT NULL,
	"mint_address" text NOT NULL,
	"status" text NOT NULL,
	"creator_wallet" text NOT NULL,
	"name" text NOT NULL,
	"symbol" text NOT NULL,
	"description" text,
	"image_url" text,
	"telegram" text,
	"twitter" text,
	"website" text,
	"metadata_url" text NOT NULL,
	"config_name" text,
	"config_address" text NOT NULL,
	"pool_address" text NOT NULL,
	"buy_lamports" numeric,
	"buy_slippage_bps" integer,
	"buy_out_raw" numeric,
	"buy_minimum_out_raw" numeric,
	"tip_lamports" numeric DEFAULT '0' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "launches_intent_id" UNIQUE("intent_id"),
	CONSTRAINT "launches_mint_address" UNIQUE("mint_address"),
	CONSTRAINT "launches_status" CHECK ("launches"."status" in ('pending_launch_init', 'bonding', 'failed', 'expired')),
	CONSTRAINT "launches_completed" CHECK (("launches"."status" = 'pending_launch_init') = ("launches"."completed_at" is null)),
	CONSTRAINT "launches_buy" CHECK (num_nulls("launches"."buy_lamports", "launches"."buy_slippage_bps", "launches"."buy_out_raw", "launches"."buy_minimum_out_raw") in (0, 4))
);
--> statement-breakpoint
CREATE TABLE "operation_deliveries" (
	"operation_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	CONSTRAINT "operation_deliveries_pk" PRIMARY KEY("operation_id","delivery_id")
);
--> statement-breakpoint
CREATE TABLE "operation_holders" (
	"operation_id" uuid NOT NULL,
	"rank" bigint NOT NULL,
	"wallet_address" text NOT NULL,
	"balance_raw" numeric NOT NULL,
	CONSTRAINT "operation_holders_pk" PRIMARY KEY("operation_id","rank")
);
--> statement-breakpoint
CREATE TABLE "operation_result_chunks" (
	"operation_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "operation_result_chunks_pk" PRIMARY KEY("operation_id","ordinal"),
	CONSTRAINT "operation_result_chunks_content" CHECK (octet_length("operation_result_chunks"."content") between 1 and 262144)
);
--> statement-breakpoint
CREATE TABLE "operation_results" (
	"operation_id" uuid PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"file_name" text NOT NULL,
	"byte_length" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operation_token_accounts" (
	"ordinal" bigserial PRIMARY KEY NOT NULL,
	"operation_id" uuid NOT NULL,
	"wallet_address" text NOT NULL,
	"amount_raw" numeric NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"input" jsonb NOT NULL,
	"progress_completed" bigint,
	"progress_total" bigint,
	"progress_unit" text,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"cancel_requested_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"lease_token" uuid,
	"claim_count" integer DEFAULT 0 NOT NULL,
	"failure_count" integer DEFAULT 0 NOT NULL,
	"checkpoint" jsonb,
	"result_url" text,
	"error_code" text,
	"error_detail" text,
	"error_request_id" text,
	CONSTRAINT "operations_status" CHECK ("operations"."status" in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
	CONSTRAINT "operations_kind" CHECK ("operations"."kind" ~ '^[a-z][a-z0-9_]{0,63}$'),
	CONSTRAINT "operations_progress" CHECK (("operations"."progress_completed" is null) = ("operations"."progress_total" is null)
        and ("operations"."progress_completed" is null
          or ("operations"."progress_completed" >= 0 and "operations"."progress_total" >= "operations"."progress_completed"))),
	CONSTRAINT "operations_completed" CHECK (("operations"."status" in ('succeeded', 'failed', 'cancelled')) = ("operations"."completed_at" is not null)),
	CONSTRAINT "operations_started" CHECK ("operations"."status" <> 'running' or "operations"."started_at" is not null),
	CONSTRAINT "operations_error" CHECK (("operations"."status" = 'failed') = ("operations"."error_code" is not null)),
	CONSTRAINT "operations_lease" CHECK ("operations"."lease_token" is null or "operations"."due_at" is not null),
	CONSTRAINT "operations_due_while_open" CHECK ("operations"."due_at" is null or "operations"."completed_at" is null),
	CONSTRAINT "operations_result_url" CHECK ("operations"."result_url" is null or "operations"."status" = 'succeeded')
);
--> statement-breakpoint
CREATE TABLE "order_slots" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"intent_id" uuid,
	"closing_intent_id" uuid,
	"nonce_address" text NOT NULL,
	"wallet_address" text NOT NULL,
	"status" text NOT NULL,
	"nonce" text,
	"read_slot" bigint,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "order_slots_intent_id" UNIQUE("intent_id"),
	CONSTRAINT "order_slots_status" CHECK ("order_slots"."status" in ('pending', 'ready', 'closed', 'failed', 'expired')),
	CONSTRAINT "order_slots_completed" CHECK (("order_slots"."status" in ('pending', 'ready')) = ("order_slots"."completed_at" is null)),
	CONSTRAINT "order_slots_read" CHECK (num_nulls("order_slots"."nonce", "order_slots"."read_slot") in (0, 2)),
	CONSTRAINT "order_slots_ready" CHECK ("order_slots"."status" <> 'ready' or "order_slots"."nonce" is not null)
);
--> statement-breakpoint
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
CREATE TABLE "prediction_intents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"round_id" uuid NOT NULL,
	"wallet_address" text NOT NULL,
	"predicted_price_in_sol" numeric NOT NULL,
	"signature" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"consumed_by" uuid,
	CONSTRAINT "prediction_intents_consumed" UNIQUE("consumed_by"),
	CONSTRAINT "prediction_intents_signature" CHECK (octet_length("prediction_intents"."signature") = 64)
);
--> statement-breakpoint
CREATE TABLE "prediction_rounds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ordinal" bigint GENERATED ALWAYS AS IDENTITY (sequence name "prediction_rounds_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"mint_address" text NOT NULL,
	"status" text NOT NULL,
	"minimum_balance_raw" numeric NOT NULL,
	"prize_pool_lamports" numeric NOT NULL,
	"requires_delegated_intent" boolean NOT NULL,
	"opens_at" timestamp with time zone NOT NULL,
	"locks_at" timestamp with time zone NOT NULL,
	"settles_at" timestamp with time zone NOT NULL,
	"locked_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"settlement_price_in_sol" numeric,
	"void_reason" text,
	"locked_participant_count" integer,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "prediction_rounds_ordinal" UNIQUE("ordinal"),
	CONSTRAINT "prediction_rounds_status" CHECK ("prediction_rounds"."status" in ('scheduled', 'open', 'locked', 'settling', 'settled', 'voided')),
	CONSTRAINT "prediction_rounds_void_reason" CHECK ("prediction_rounds"."void_reason" in ('cancelled', 'no_price', 'source_not_proven') and ("prediction_rounds"."void_reason" is null or "prediction_rounds"."status" = 'voided')),
	CONSTRAINT "prediction_rounds_times" CHECK ("prediction_rounds"."opens_at" < "prediction_rounds"."locks_at" and "prediction_rounds"."locks_at" <= "prediction_rounds"."settles_at"),
	CONSTRAINT "prediction_rounds_amounts" CHECK ("prediction_rounds"."minimum_balance_raw" >= 0 and "prediction_rounds"."prize_pool_lamports" >= 0
        and trunc("prediction_rounds"."minimum_balance_raw") = "prediction_rounds"."minimum_balance_raw"
        and trunc("prediction_rounds"."prize_pool_lamports") = "prediction_rounds"."prize_pool_lamports"),
	CONSTRAINT "prediction_rounds_locked" CHECK (("prediction_rounds"."locked_at" is null) = ("prediction_rounds"."locked_participant_count" is null) and case "prediction_rounds"."status"
        when 'scheduled' then "prediction_rounds"."locked_at" is null when 'open' then "prediction_rounds"."locked_at" is null
        when 'voided' then true else "prediction_rounds"."locked_at" is not null end),
	CONSTRAINT "prediction_rounds_settled" CHECK (("prediction_rounds"."status" = 'settled') = ("prediction_rounds"."settled_at" is not null)
        and ("prediction_rounds"."status" = 'settled') = ("prediction_rounds"."settlement_price_in_sol" is not null))
);
--> statement-breakpoint
CREATE TABLE "predictions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"round_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"wallet_address" text NOT NULL,
	"username" text NOT NULL,
	"predicted_price_in_sol" numeric NOT NULL,
	"status" text NOT NULL,
	"evaluation_slot" bigint NOT NULL,
	"balance_raw" numeric NOT NULL,
	"submitted_at" timestamp with time zone NOT NULL,
	"rank" integer,
	"distance_ppm" numeric,
	"payout_lamports" numeric,
	CONSTRAINT "predictions_wallet" UNIQUE("round_id","wallet_address"),
	CONSTRAINT "predictions_status" CHECK ("predictions"."status" in ('accepted', 'settled', 'voided')),
	CONSTRAINT "predictions_price" CHECK ("predictions"."predicted_price_in_sol" > 0 and "predictions"."predicted_price_in_sol" < 1000000000000
        and scale("predictions"."predicted_price_in_sol") <= 18),
	CONSTRAINT "predictions_settled" CHECK (("predictions"."status" = 'settled') = ("predictions"."rank" is not null)
        and ("predictions"."rank" is null) = ("predictions"."distance_ppm" is null)
        and ("predictions"."rank" is not null or "predictions"."payout_lamports" is null))
);
--> statement-breakpoint
CREATE TABLE "presale_movements" (
	"transaction_signature" text NOT NULL,
	"instruction_index" integer NOT NULL,
	"presale_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"wallet_address" text NOT NULL,
	"amount" numeric NOT NULL,
	"slot" bigint NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	CONSTRAINT "presale_movements_identity" UNIQUE("transaction_signature","instruction_index"),
	CONSTRAINT "presale_movements_kind" CHECK ("presale_movements"."kind" in ('deposit', 'refund', 'claim')),
	CONSTRAINT "presale_movements_amount" CHECK ("presale_movements"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "presale_participations" (
	"presale_id" uuid NOT NULL,
	"wallet_address" text NOT NULL,
	"status" text NOT NULL,
	"deposited_lamports" numeric NOT NULL,
	"refunded_lamports" numeric NOT NULL,
	"allocation_raw" numeric,
	"claimed_raw" numeric NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "presale_participations_pk" PRIMARY KEY("presale_id","wallet_address"),
	CONSTRAINT "presale_participations_status" CHECK ("presale_participations"."status" in ('deposited', 'refunded', 'settled')),
	CONSTRAINT "presale_participations_amounts" CHECK ("presale_participations"."deposited_lamports" > 0
        and "presale_participations"."refunded_lamports" between 0 and "presale_participations"."deposited_lamports"
        and "presale_participations"."claimed_raw" between 0 and coalesce("presale_participations"."allocation_raw", 0)),
	CONSTRAINT "presale_participations_settled" CHECK (("presale_participations"."status" = 'settled') = ("presale_participations"."allocation_raw" is not null))
);
--> statement-breakpoint
CREATE TABLE "presales" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ordinal" bigint GENERATED ALWAYS AS IDENTITY (sequence name "presales_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"mint_address" text NOT NULL,
	"status" text NOT NULL,
	"burn_bps" integer NOT NULL,
	"pool_bps" integer NOT NULL,
	"sale_bps" integer NOT NULL,
	"creator_commitment_lamports" numeric NOT NULL,
	"min_cap_lamports" numeric NOT NULL,
	"max_cap_lamports" numeric NOT NULL,
	"per_wallet_cap_lamports" numeric NOT NULL,
	"total_deposited_lamports" numeric NOT NULL,
	"total_refunded_lamports" numeric DEFAULT '0' NOT NULL,
	"participant_count" integer NOT NULL,
	"public_start_at" timestamp with time zone NOT NULL,
	"deadline" timestamp with time zone NOT NULL,
	"settling_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "presales_ordinal" UNIQUE("ordinal"),
	CONSTRAINT "presales_status" CHECK ("presales"."status" in ('draft', 'initializing', 'active', 'settling', 'settled', 'refunding', 'failed')),
	CONSTRAINT "presales_allocations" CHECK ("presales"."burn_bps" >= 0 and "presales"."pool_bps" >= 0 and "presales"."sale_bps" >= 0
        and "presales"."burn_bps" + "presales"."pool_bps" + "presales"."sale_bps" <= 10000),
	CONSTRAINT "presales_caps" CHECK (0 <= "presales"."min_cap_lamports" and "presales"."min_cap_lamports" <= "presales"."max_cap_lamports"
        and "presales"."max_cap_lamports" > 0 and "presales"."per_wallet_cap_lamports" > 0 and "presales"."creator_commitment_lamports" >= 0),
	CONSTRAINT "presales_deposited" CHECK ("presales"."total_deposited_lamports" between 0 and "presales"."max_cap_lamports"
        and "presales"."total_refunded_lamports" between 0 and "presales"."total_deposited_lamports"
        and "presales"."participant_count" >= 0),
	CONSTRAINT "presales_settling" CHECK (("presales"."status" in ('draft', 'initializing', 'active')) = ("presales"."settling_at" is null)),
	CONSTRAINT "presales_times" CHECK ("presales"."public_start_at" < "presales"."deadline")
);
--> statement-breakpoint
CREATE TABLE "secret_keys" (
	"key_check" "bytea" PRIMARY KEY NOT NULL,
	"is_sealing" boolean NOT NULL,
	"is_known_to_relay" boolean NOT NULL,
	CONSTRAINT "secret_keys_key_check" CHECK (octet_length("secret_keys"."key_check") = 32)
);
--> statement-breakpoint
CREATE TABLE "service_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"groups" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "service_keys_id" CHECK ("service_keys"."id" ~ '^[0-9A-Za-z]{16}$'),
	CONSTRAINT "service_keys_secret_hash" CHECK (octet_length("service_keys"."secret_hash") = 32),
	CONSTRAINT "service_keys_groups" CHECK ("service_keys"."groups" <@ array['accounts', 'intents', 'tokens', 'wallets', 'rounds', 'presales', 'operations']::text[])
);
--> statement-breakpoint
CREATE TABLE "service_responses" (
	"service_key_id" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"response_status" integer NOT NULL,
	"response_headers" jsonb NOT NULL,
	"response_body" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "service_responses_pk" PRIMARY KEY("service_key_id","key"),
	CONSTRAINT "service_responses_fingerprint" CHECK (octet_length("service_responses"."fingerprint") = 32),
	CONSTRAINT "service_responses_status" CHECK ("service_responses"."response_status" between 200 and 299)
);
--> statement-breakpoint
CREATE TABLE "staking_pools" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"pool_address" text NOT NULL,
	"status" text NOT NULL,
	"total_staked_raw" numeric NOT NULL,
	"staker_count" integer NOT NULL,
	"reward_rate_per_second_raw" numeric NOT NULL,
	"rewards_distributed_raw" numeric NOT NULL,
	"lock_period_seconds" integer NOT NULL,
	"slot" bigint NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "staking_pools_address" UNIQUE("pool_address"),
	CONSTRAINT "staking_pools_status" CHECK ("staking_pools"."status" in ('active', 'paused', 'closed')),
	CONSTRAINT "staking_pools_amounts" CHECK ("staking_pools"."total_staked_raw" >= 0 and "staking_pools"."reward_rate_per_second_raw" >= 0
        and "staking_pools"."rewards_distributed_raw" >= 0),
	CONSTRAINT "staking_pools_counts" CHECK ("staking_pools"."staker_count" >= 0 and "staking_pools"."lock_period_seconds" >= 0 and "staking_pools"."slot" >= 0)
);
--> statement-breakpoint
CREATE TABLE "staking_positions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"position_address" text NOT NULL,
	"mint_address" text NOT NULL,
	"wallet_address" text NOT NULL,
	"staked_raw" numeric NOT NULL,
	"pending_rewards_raw" numeric NOT NULL,
	"claimed_rewards_raw" numeric NOT NULL,
	"staked_at" timestamp with time zone NOT NULL,
	"unlocks_at" timestamp with time zone,
	"slot" bigint NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "staking_positions_address" UNIQUE("position_address"),
	CONSTRAINT "staking_positions_owner" UNIQUE("position_address","mint_address","wallet_address"),
	CONSTRAINT "staking_positions_amounts" CHECK ("staking_positions"."staked_raw" >= 0 and "staking_positions"."pending_rewards_raw" >= 0 and "staking_positions"."claimed_rewards_raw" >= 0
        and "staking_positions"."slot" >= 0)
);
--> statement-breakpoint
CREATE TABLE "staking_sums" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"staked_raw" numeric NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "staking_sums_staked" CHECK ("staking_sums"."staked_raw" >= 0)
);
--> statement-breakpoint
CREATE TABLE "staking_totals" (
	"mint_address" text NOT NULL,
	"wallet_address" text NOT NULL,
	"staked_raw" numeric NOT NULL,
	"staked_since" timestamp with time zone NOT NULL,
	CONSTRAINT "staking_totals_wallet" UNIQUE("mint_address","wallet_address"),
	CONSTRAINT "staking_totals_staked" CHECK ("staking_totals"."staked_raw" > 0)
);
--> statement-breakpoint
CREATE TABLE "stream_followers" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stream_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stream_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"mint_address" text,
	"account_id" uuid,
	"ref" uuid,
	"slot" bigint,
	"through" timestamp with time zone,
	"since" timestamp with time zone,
	"at" timestamp with time zone NOT NULL,
	"trader_wallet" text,
	"side" text,
	"sol_amount" numeric
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.2, autovacuum_analyze_scale_factor=0.2);
--> statement-breakpoint
CREATE TABLE "stream_progress" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"deleted_through" bigint NOT NULL,
	"deleted_at" timestamp with time zone,
	"proven_through" timestamp with time zone,
	CONSTRAINT "stream_progress_only_row" CHECK ("stream_progress"."only_row")
);
--> statement-breakpoint
CREATE TABLE "ranking_progress" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"log_position" bigint,
	"swept_through" bigint,
	"prominent_at" timestamp with time zone,
	CONSTRAINT "ranking_progress_only_row" CHECK ("ranking_progress"."only_row")
);
--> statement-breakpoint
CREATE TABLE "token_names" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"ordinal" bigint NOT NULL,
	"symbol_key" text NOT NULL,
	"name_key" text NOT NULL,
	"terms" text NOT NULL,
	"prominent" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "token_rankings" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"ordinal" bigint NOT NULL,
	"status" text NOT NULL,
	"launch_type" text NOT NULL,
	"listed" boolean NOT NULL,
	"market_cap_in_sol" numeric DEFAULT '-Infinity' NOT NULL,
	"volume_in_sol_24h" numeric DEFAULT '0' NOT NULL,
	"trade_count_1h" integer DEFAULT 0 NOT NULL,
	"price_change_percent_1h" numeric DEFAULT '-Infinity' NOT NULL,
	"graduation_progress" numeric DEFAULT '-Infinity' NOT NULL,
	"last_trade_at" timestamp with time zone DEFAULT '-Infinity' NOT NULL,
	"due_at" timestamp with time zone,
	CONSTRAINT "token_rankings_status" CHECK ("token_rankings"."status" in ('pending', 'pending_launch_init', 'pending_escrows', 'pending_finalization', 'bonding', 'pre_raise_pending', 'pre_raising', 'pre_raise_settling', 'pre_raise_refunding', 'pre_raise_failed', 'graduating_migration_pending', 'graduated', 'graduation_failed', 'expired', 'cancelled', 'failed')),
	CONSTRAINT "token_rankings_launch_type" CHECK ("token_rankings"."launch_type" in ('dbc', 'pre_raise'))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.1);
--> statement-breakpoint
CREATE TABLE "token_markets" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"price_in_sol" numeric,
	"liquidity_in_sol" numeric,
	"liquidity_position" text DEFAULT '' NOT NULL,
	"sol_collected_in_sol" numeric DEFAULT '0' NOT NULL,
	"holder_count" integer,
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
	"creator_slot" bigint,
	"name" text NOT NULL,
	"symbol" text NOT NULL,
	"description" text,
	"image_url" text,
	"decimals" integer NOT NULL,
	"total_supply" numeric NOT NULL,
	"mint_slot" bigint,
	"launch_type" text NOT NULL,
	"status" text NOT NULL,
	"launched_at" timestamp with time zone,
	"graduated_at" timestamp with time zone,
	"curve_stage" text,
	"curve_created_at" timestamp with time zone,
	"curve_completed_at" timestamp with time zone,
	"curve_migrated_at" timestamp with time zone,
	"announce_history" boolean DEFAULT false NOT NULL,
	"told_events" text[] DEFAULT '{}' NOT NULL,
	"telegram" text,
	"twitter" text,
	"website" text,
	"pool_address" text,
	"staking_vaults" text[],
	"tokenomics_vaults" text[],
	"predictions_enabled" boolean,
	"hidden" boolean DEFAULT false NOT NULL,
	"listed" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tokens_ordinal" UNIQUE("ordinal"),
	CONSTRAINT "tokens_pool_address" UNIQUE("pool_address"),
	CONSTRAINT "tokens_launch_type" CHECK ("tokens"."launch_type" in ('dbc', 'pre_raise')),
	CONSTRAINT "tokens_status" CHECK ("tokens"."status" in ('pending', 'pending_launch_init', 'pending_escrows', 'pending_finalization', 'bonding', 'pre_raise_pending', 'pre_raising', 'pre_raise_settling', 'pre_raise_refunding', 'pre_raise_failed', 'graduating_migration_pending', 'graduated', 'graduation_failed', 'expired', 'cancelled', 'failed')),
	CONSTRAINT "tokens_curve_stage" CHECK ("tokens"."curve_stage" in ('trading', 'completed', 'migrated')),
	CONSTRAINT "tokens_name" CHECK (char_length("tokens"."name") between 1 and 128),
	CONSTRAINT "tokens_symbol" CHECK (char_length("tokens"."symbol") between 1 and 32),
	CONSTRAINT "tokens_decimals" CHECK ("tokens"."decimals" between 0 and 18),
	CONSTRAINT "tokens_total_supply" CHECK ("tokens"."total_supply" >= 0)
);
--> statement-breakpoint
CREATE TABLE "token_traders" (
	"mint_address" text NOT NULL,
	"trader_wallet" text NOT NULL,
	"buy_count" integer NOT NULL,
	"sell_count" integer NOT NULL,
	"bought_token" numeric NOT NULL,
	"bought_in_sol" numeric NOT NULL,
	"sold_token" numeric NOT NULL,
	"sold_in_sol" numeric NOT NULL,
	"sold_cost_in_sol" numeric NOT NULL,
	"uncovered_token" numeric NOT NULL,
	"uncovered_in_sol" numeric NOT NULL,
	"realised_in_sol" numeric NOT NULL,
	"first_trade_at" timestamp with time zone NOT NULL,
	"first_slot" bigint NOT NULL,
	"last_trade_at" timestamp with time zone NOT NULL,
	"last_trade_hour" timestamp with time zone GENERATED ALWAYS AS (date_bin('1 hour', last_trade_at, '1970-01-01 00:00:00+00')) STORED NOT NULL,
	"last_buy_at" timestamp with time zone,
	"last_sell_at" timestamp with time zone,
	"last_position" text NOT NULL,
	CONSTRAINT "token_traders_pk" PRIMARY KEY("trader_wallet","mint_address"),
	CONSTRAINT "token_traders_counts" CHECK ("token_traders"."buy_count" >= 0 and "token_traders"."sell_count" >= 0 and "token_traders"."buy_count" + "token_traders"."sell_count" > 0),
	CONSTRAINT "token_traders_held" CHECK ("token_traders"."bought_token" >= "token_traders"."sold_token" - "token_traders"."uncovered_token" and "token_traders"."bought_in_sol" >= "token_traders"."sold_cost_in_sol")
) WITH (fillfactor=85, autovacuum_vacuum_scale_factor=0.05);
--> statement-breakpoint
CREATE TABLE "trader_backfills" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"through" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trader_bases" (
	"mint_address" text NOT NULL,
	"trader_wallet" text NOT NULL,
	"through" text NOT NULL,
	"state" jsonb,
	CONSTRAINT "trader_bases_pk" PRIMARY KEY("trader_wallet","mint_address")
);
--> statement-breakpoint
CREATE TABLE "trader_recounts" (
	"mint_address" text NOT NULL,
	"trader_wallet" text NOT NULL,
	"from_slot" bigint NOT NULL,
	CONSTRAINT "trader_recounts_pk" PRIMARY KEY("mint_address","trader_wallet")
);
--> statement-breakpoint
CREATE TABLE "candles" (
	"mint_address" text NOT NULL,
	"interval" text NOT NULL,
	"open_time" timestamp with time zone NOT NULL,
	"open" numeric,
	"high" numeric,
	"low" numeric,
	"close" numeric,
	"volume_in_sol" numeric NOT NULL,
	"volume_in_token" numeric NOT NULL,
	"trade_count" integer NOT NULL,
	"open_position" text NOT NULL,
	"close_position" text NOT NULL,
	"paid_open_position" text,
	"paid_close_position" text,
	"spot_open" numeric,
	"spot_high" numeric,
	"spot_low" numeric,
	"spot_close" numeric,
	"spot_open_position" text,
	"spot_close_position" text,
	"market_high" numeric,
	"market_low" numeric,
	"spot_counted" integer DEFAULT 0 NOT NULL,
	"buy_count" integer DEFAULT 0 NOT NULL,
	"buy_volume_in_sol" numeric DEFAULT '0' NOT NULL,
	"buy_volume_in_token" numeric DEFAULT '0' NOT NULL,
	"sides_counted" integer DEFAULT 0 NOT NULL,
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
CREATE TABLE "trade_floor" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"slot" bigint NOT NULL,
	CONSTRAINT "trade_floor_only_row" CHECK ("trade_floor"."only_row")
);
--> statement-breakpoint
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
	"on_curve" boolean,
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
) PARTITION BY RANGE (slot);
--> statement-breakpoint
CREATE TABLE trades_default PARTITION OF trades DEFAULT;--> statement-breakpoint
CREATE TABLE "intent_broadcasts" (
	"intent_id" uuid PRIMARY KEY NOT NULL,
	"send_count" integer DEFAULT 0 NOT NULL,
	"misanswered" boolean DEFAULT false NOT NULL,
	"next_send_at" timestamp with time zone NOT NULL,
	"protected_send_at" timestamp with time zone,
	"traceparent" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "intent_broadcasts_protected" CHECK ("intent_broadcasts"."protected_send_at" is null or "intent_broadcasts"."next_send_at" >= '9999-12-31T00:00:00Z')
);
--> statement-breakpoint
CREATE TABLE "intent_landings" (
	"intent_id" uuid PRIMARY KEY NOT NULL,
	"slot" bigint NOT NULL,
	"finality" text NOT NULL,
	"landed_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"facts_at" timestamp with time zone,
	"succeeded" boolean,
	"block_time" timestamp with time zone,
	"index_in_block" integer,
	"fee_lamports" bigint,
	"compute_units" bigint,
	"tip_lamports" bigint,
	"changes" jsonb,
	"input_raw" numeric,
	"output_raw" numeric,
	"price_in_sol" numeric,
	"quote_difference_bps" integer,
	"check_count" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	CONSTRAINT "intent_landings_finality" CHECK ("intent_landings"."finality" in ('confirmed', 'finalized', 'reverted')),
	CONSTRAINT "intent_landings_settled" CHECK (("intent_landings"."finality" = 'confirmed') = ("intent_landings"."settled_at" is null)),
	CONSTRAINT "intent_landings_facts" CHECK (("intent_landings"."facts_at" is null) = ("intent_landings"."fee_lamports" is null) and ("intent_landings"."facts_at" is null) = ("intent_landings"."succeeded" is null) and ("intent_landings"."facts_at" is null) = ("intent_landings"."changes" is null))
);
--> statement-breakpoint
CREATE TABLE "intent_messages" (
	"recent_blockhash" text NOT NULL,
	"message_hash" "bytea" NOT NULL,
	"intent_id" uuid NOT NULL,
	CONSTRAINT "intent_messages_pk" PRIMARY KEY("recent_blockhash","message_hash"),
	CONSTRAINT "intent_messages_hash" CHECK (octet_length("intent_messages"."message_hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "intent_sends" (
	"intent_id" uuid NOT NULL,
	"target" text NOT NULL,
	"first_sent_at" timestamp with time zone,
	"last_sent_at" timestamp with time zone,
	"first_slot" bigint,
	"send_count" integer NOT NULL,
	"taken_count" integer NOT NULL,
	"answer" text,
	"reason" text,
	CONSTRAINT "intent_sends_pk" PRIMARY KEY("intent_id","target"),
	CONSTRAINT "intent_sends_counts" CHECK ("intent_sends"."send_count" >= "intent_sends"."taken_count" and "intent_sends"."taken_count" >= 0),
	CONSTRAINT "intent_sends_sent" CHECK (("intent_sends"."send_count" > 0) = ("intent_sends"."first_sent_at" is not null and "intent_sends"."last_sent_at" is not null and "intent_sends"."answer" is not null))
) PARTITION BY RANGE (intent_id);
--> statement-breakpoint
CREATE TABLE intent_sends_default PARTITION OF intent_sends DEFAULT;--> statement-breakpoint
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
	"mint_address" text,
	"launch_id" uuid,
	"tip_lamports" bigint,
	"quote" jsonb,
	"send_route" text DEFAULT 'fast' NOT NULL,
	"keeps_route" boolean DEFAULT false NOT NULL,
	"priority_level" text,
	"error_code" text,
	"error_detail" text,
	"version" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"submitted_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	CONSTRAINT "transaction_intents_whole" CHECK (transaction_intent_is_whole("transaction_intents"."status", "transaction_intents"."completed_at", "transaction_intents"."error_code", "transaction_intents"."send_route", "transaction_intents"."keeps_route", "transaction_intents"."kind", "transaction_intents"."priority_level", "transaction_intents"."signed_transaction", "transaction_intents"."submitted_at", "transaction_intents"."version"))
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"address" text PRIMARY KEY NOT NULL,
	"username" text,
	"verified" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallets_username" CHECK (char_length("wallets"."username") between 1 and 64)
);
--> statement-breakpoint
CREATE TABLE "endpoint_subjects" (
	"endpoint_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "endpoint_subjects_pk" PRIMARY KEY("endpoint_id","subject"),
	CONSTRAINT "endpoint_subjects_position" CHECK ("endpoint_subjects"."position" between 0 and 999)
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "event_leases" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"relay_id" uuid NOT NULL,
	"lease_expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "relay_members" (
	"id" uuid PRIMARY KEY NOT NULL,
	"view" uuid[] NOT NULL,
	"beat_at" timestamp with time zone NOT NULL,
	"delivers_trades" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" uuid NOT NULL,
	"attempt_number" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"succeeded" boolean,
	"error_code" text,
	"error_reason" text,
	"error_detail" text,
	"response_status" integer,
	"resolved_address" text,
	"redirect_count" integer,
	"hop_origin" text,
	"dns_ms" integer,
	"connect_ms" integer,
	"tls_ms" integer,
	"first_byte_ms" integer,
	"total_ms" integer,
	"response_body" "bytea",
	CONSTRAINT "webhook_attempts_pk" PRIMARY KEY("delivery_id","attempt_number"),
	CONSTRAINT "webhook_attempts_error_detail" CHECK (char_length("webhook_attempts"."error_detail") <= 500)
) PARTITION BY RANGE (delivery_id);
--> statement-breakpoint
CREATE TABLE webhook_attempts_default PARTITION OF webhook_attempts DEFAULT;--> statement-breakpoint
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
	CONSTRAINT "webhook_deliveries_event" UNIQUE("event_id","endpoint_id"),
	CONSTRAINT "webhook_deliveries_status" CHECK ("webhook_deliveries"."status" in ('pending', 'processing', 'succeeded', 'retrying', 'dead_letter')),
	CONSTRAINT "webhook_deliveries_replays" CHECK ("webhook_deliveries"."replay_count" between 0 and 10),
	CONSTRAINT "webhook_deliveries_due_time" CHECK (("webhook_deliveries"."status" in ('pending', 'retrying')) = ("webhook_deliveries"."next_attempt_at" is not null)),
	CONSTRAINT "webhook_deliveries_lease" CHECK (("webhook_deliveries"."status" = 'processing') = ("webhook_deliveries"."lease_expires_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"purpose" text DEFAULT 'subscription' NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"event_types" text[] NOT NULL,
	"subjects" text[],
	"event_scopes" text[],
	"status" text NOT NULL,
	"disabled_reason" text,
	"sealed_secret" "bytea" NOT NULL,
	"secret_rotated_at" timestamp with time zone NOT NULL,
	"sealed_previous_secret" "bytea",
	"previous_secret_expires_at" timestamp with time zone,
	"version" integer NOT NULL,
	"paused_until" timestamp with time zone,
	"pause_reason" text,
	"judged_from" timestamp with time zone DEFAULT now() NOT NULL,
	"failing_since" timestamp with time zone,
	"failing_announced" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id(),
	CONSTRAINT "webhook_endpoints_purpose" CHECK ("webhook_endpoints"."purpose" in ('subscription', 'contact')),
	CONSTRAINT "webhook_endpoints_status" CHECK ("webhook_endpoints"."status" in ('enabled', 'disabled')),
	CONSTRAINT "webhook_endpoints_pause_reason" CHECK ("webhook_endpoints"."pause_reason" in ('http_429', 'http_503')),
	CONSTRAINT "webhook_endpoints_disabled_reason" CHECK ("webhook_endpoints"."disabled_reason" in ('manual', 'gone', 'failing')),
	CONSTRAINT "webhook_endpoints_disabled" CHECK (("webhook_endpoints"."status" = 'disabled') = ("webhook_endpoints"."disabled_reason" is not null)),
	CONSTRAINT "webhook_endpoints_subjects" CHECK (cardinality("webhook_endpoints"."subjects") between 1 and 100),
	CONSTRAINT "webhook_endpoints_version" CHECK ("webhook_endpoints"."version" > 0),
	CONSTRAINT "webhook_endpoints_previous_secret" CHECK ("webhook_endpoints"."sealed_previous_secret" is null or "webhook_endpoints"."previous_secret_expires_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "worker_keys" (
	"purpose" text NOT NULL,
	"key_check" "bytea" NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "worker_keys_purpose_key_check_pk" PRIMARY KEY("purpose","key_check"),
	CONSTRAINT "worker_keys_purpose" CHECK ("worker_keys"."purpose" in ('orders', 'result_links')),
	CONSTRAINT "worker_keys_key_check" CHECK (octet_length("worker_keys"."key_check") = 32)
);
--> statement-breakpoint
ALTER TABLE "api_key_uses" ADD CONSTRAINT "api_key_uses_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_fee_accounts" ADD CONSTRAINT "platform_fee_accounts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_claim_intents" ADD CONSTRAINT "fee_claim_intents_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_claim_intents" ADD CONSTRAINT "fee_claim_intents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_claims" ADD CONSTRAINT "fee_claims_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_pools" ADD CONSTRAINT "fee_pools_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_positions" ADD CONSTRAINT "fee_positions_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_claimables" ADD CONSTRAINT "fee_claimables_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_distributions" ADD CONSTRAINT "fee_distributions_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_states" ADD CONSTRAINT "fee_states_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_totals" ADD CONSTRAINT "fee_totals_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_counting" ADD CONSTRAINT "holder_counting_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_stats" ADD CONSTRAINT "holder_stats_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "liquidity_locks" ADD CONSTRAINT "liquidity_locks_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_proofs" ADD CONSTRAINT "source_proofs_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_pools" ADD CONSTRAINT "token_pools_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launches" ADD CONSTRAINT "launches_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launches" ADD CONSTRAINT "launches_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launches" ADD CONSTRAINT "launches_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_deliveries" ADD CONSTRAINT "operation_deliveries_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_holders" ADD CONSTRAINT "operation_holders_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_result_chunks" ADD CONSTRAINT "operation_result_chunks_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_results" ADD CONSTRAINT "operation_results_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_token_accounts" ADD CONSTRAINT "operation_token_accounts_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_slots" ADD CONSTRAINT "order_slots_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_slots" ADD CONSTRAINT "order_slots_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_slots" ADD CONSTRAINT "order_slots_closing_intent_id_transaction_intents_id_fk" FOREIGN KEY ("closing_intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_transactions" ADD CONSTRAINT "order_transactions_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_slot_id_order_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."order_slots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_advance_intent_id_transaction_intents_id_fk" FOREIGN KEY ("advance_intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_intents" ADD CONSTRAINT "prediction_intents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_intents" ADD CONSTRAINT "prediction_intents_round_id_prediction_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."prediction_rounds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_intents" ADD CONSTRAINT "prediction_intents_consumed_by_predictions_id_fk" FOREIGN KEY ("consumed_by") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_rounds" ADD CONSTRAINT "prediction_rounds_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_round_id_prediction_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."prediction_rounds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presale_movements" ADD CONSTRAINT "presale_movements_presale_id_presales_id_fk" FOREIGN KEY ("presale_id") REFERENCES "public"."presales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presale_participations" ADD CONSTRAINT "presale_participations_presale_id_presales_id_fk" FOREIGN KEY ("presale_id") REFERENCES "public"."presales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presales" ADD CONSTRAINT "presales_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_responses" ADD CONSTRAINT "service_responses_service_key_id_service_keys_id_fk" FOREIGN KEY ("service_key_id") REFERENCES "public"."service_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staking_pools" ADD CONSTRAINT "staking_pools_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staking_positions" ADD CONSTRAINT "staking_positions_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staking_sums" ADD CONSTRAINT "staking_sums_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staking_totals" ADD CONSTRAINT "staking_totals_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_names" ADD CONSTRAINT "token_names_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_rankings" ADD CONSTRAINT "token_rankings_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_markets" ADD CONSTRAINT "token_markets_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candles" ADD CONSTRAINT "candles_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "intent_broadcasts" ADD CONSTRAINT "intent_broadcasts_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "intent_landings" ADD CONSTRAINT "intent_landings_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD CONSTRAINT "transaction_intents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "endpoint_subjects" ADD CONSTRAINT "endpoint_subjects_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_listing" ON "api_keys" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "events_unpublished" ON "events" USING btree ("id") WHERE "events"."published_at" is null;--> statement-breakpoint
CREATE INDEX "events_not_fanned_out" ON "events" USING btree ("id") WHERE "events"."fanned_out_at" is null;--> statement-breakpoint
CREATE INDEX "events_public" ON "events" USING btree ("type","recorded_in","id") WHERE "events"."account_id" is null;--> statement-breakpoint
CREATE INDEX "events_account" ON "events" USING btree ("account_id","type","recorded_in","id") WHERE "events"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "events_subject" ON "events" USING btree ("subject","recorded_in","id");--> statement-breakpoint
CREATE INDEX "fee_claim_intents_pending" ON "fee_claim_intents" USING btree ("intent_id") WHERE "fee_claim_intents"."settled_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "fee_claim_intents_signature" ON "fee_claim_intents" USING btree ("transaction_signature") WHERE "fee_claim_intents"."transaction_signature" is not null;--> statement-breakpoint
CREATE INDEX "fee_claims_mint" ON "fee_claims" USING btree ("mint_address");--> statement-breakpoint
CREATE INDEX "fee_claims_pending" ON "fee_claims" USING btree ("mint_address") WHERE "fee_claims"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "fee_pools_creator" ON "fee_pools" USING btree ("creator_wallet","mint_address" collate "C");--> statement-breakpoint
CREATE INDEX "fee_pools_partner" ON "fee_pools" USING btree ("partner_wallet","mint_address" collate "C");--> statement-breakpoint
CREATE INDEX "fee_pools_leftover" ON "fee_pools" USING btree ("leftover_wallet","mint_address" collate "C");--> statement-breakpoint
CREATE INDEX "fee_pools_problem" ON "fee_pools" USING btree ("mint_address") WHERE "fee_pools"."problem" is not null;--> statement-breakpoint
CREATE INDEX "fee_positions_mint" ON "fee_positions" USING btree ("mint_address");--> statement-breakpoint
CREATE INDEX "fee_positions_nft" ON "fee_positions" USING btree ("nft_mint_address");--> statement-breakpoint
CREATE INDEX "fee_distributions_listing" ON "fee_distributions" USING btree ("mint_address","slot" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "fee_distributions_of_pools" ON "fee_distributions" USING btree ("mint_address","slot" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "fee_distributions"."source" = 'chain' or "fee_distributions"."role" = 'stakers';--> statement-breakpoint
CREATE INDEX "holder_accounts_owner" ON "holder_accounts" USING btree ("mint_address","owner_address") WHERE "holder_accounts"."balance_raw" > 0;--> statement-breakpoint
CREATE INDEX "holder_counting_due" ON "holder_counting" USING btree ("next_snapshot_at");--> statement-breakpoint
CREATE INDEX "holder_counting_new" ON "holder_counting" USING btree ("next_snapshot_at") WHERE "holder_counting"."snapshot_slot" is null and "holder_counting"."failures" = 0;--> statement-breakpoint
CREATE INDEX "idempotency_records_expiry" ON "idempotency_records" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "images_hash" ON "images" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "images_account_recent" ON "images" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "liquidity_locks_pool" ON "liquidity_locks" USING btree ("pool_address");--> statement-breakpoint
CREATE INDEX "token_pools_mint" ON "token_pools" USING btree ("mint_address");--> statement-breakpoint
CREATE INDEX "token_pools_curve" ON "token_pools" USING btree ("curve_pool_address");--> statement-breakpoint
CREATE INDEX "launches_pending" ON "launches" USING btree ("created_at") WHERE "launches"."status" = 'pending_launch_init';--> statement-breakpoint
CREATE INDEX "launches_pending_account" ON "launches" USING btree ("account_id") WHERE "launches"."status" = 'pending_launch_init';--> statement-breakpoint
CREATE INDEX "launches_account" ON "launches" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX "operation_results_expiry" ON "operation_results" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "operation_token_accounts_operation" ON "operation_token_accounts" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "operations_account_kind" ON "operations" USING btree ("account_id","kind","status","id");--> statement-breakpoint
CREATE INDEX "operations_due" ON "operations" USING btree ("due_at") WHERE "operations"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "order_slots_account" ON "order_slots" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "order_slots_due" ON "order_slots" USING btree ("due_at") WHERE "order_slots"."status" in ('pending', 'ready');--> statement-breakpoint
CREATE UNIQUE INDEX "order_slots_open" ON "order_slots" USING btree ("account_id","nonce_address") WHERE "order_slots"."status" in ('pending', 'ready');--> statement-breakpoint
CREATE INDEX "orders_account" ON "orders" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX "orders_account_mint" ON "orders" USING btree ("account_id","mint_address","status","id");--> statement-breakpoint
CREATE INDEX "orders_trigger_price" ON "orders" USING btree ("mint_address","trigger_of","trigger_when","trigger_price") WHERE "orders"."status" = 'open';--> statement-breakpoint
CREATE INDEX "orders_trigger_trade" ON "orders" USING btree ("trigger_trade_id") WHERE "orders"."status" = 'triggered' and "orders"."intent_id" is null;--> statement-breakpoint
CREATE INDEX "orders_next_attempt" ON "orders" USING btree ("next_attempt_at") WHERE "orders"."status" = 'triggered' and "orders"."intent_id" is null;--> statement-breakpoint
CREATE INDEX "orders_sent" ON "orders" USING btree ("intent_id") WHERE "orders"."status" = 'triggered' and "orders"."intent_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_ends" ON "orders" USING btree ("ends_at") WHERE "orders"."status" in ('unsigned', 'open', 'triggered') and "orders"."intent_id" is null;--> statement-breakpoint
CREATE INDEX "orders_advance_intent" ON "orders" USING btree ("advance_intent_id") WHERE "orders"."advance_intent_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_slot" ON "orders" USING btree ("slot_id") WHERE "orders"."status" in ('unsigned', 'open', 'triggered');--> statement-breakpoint
CREATE INDEX "prediction_intents_lookup" ON "prediction_intents" USING btree ("round_id","wallet_address","account_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "prediction_rounds_listing" ON "prediction_rounds" USING btree ("mint_address","ordinal" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "prediction_rounds_by_status" ON "prediction_rounds" USING btree ("mint_address","status","ordinal" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "prediction_rounds_opening" ON "prediction_rounds" USING btree ("opens_at") WHERE "prediction_rounds"."status" = 'scheduled';--> statement-breakpoint
CREATE INDEX "prediction_rounds_locking" ON "prediction_rounds" USING btree ("locks_at") WHERE "prediction_rounds"."status" = 'open';--> statement-breakpoint
CREATE INDEX "prediction_rounds_settling" ON "prediction_rounds" USING btree ("settles_at") WHERE "prediction_rounds"."status" in ('locked', 'settling');--> statement-breakpoint
CREATE INDEX "predictions_round" ON "predictions" USING btree ("round_id","id");--> statement-breakpoint
CREATE INDEX "predictions_account" ON "predictions" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX "predictions_account_round" ON "predictions" USING btree ("account_id","round_id");--> statement-breakpoint
CREATE INDEX "predictions_standings" ON "predictions" USING btree ("round_id","rank") WHERE "predictions"."rank" is not null;--> statement-breakpoint
CREATE INDEX "presales_listing" ON "presales" USING btree ("ordinal" DESC NULLS FIRST) WHERE "presales"."status" <> 'draft';--> statement-breakpoint
CREATE INDEX "presales_by_mint" ON "presales" USING btree ("mint_address","ordinal");--> statement-breakpoint
CREATE INDEX "presales_by_status" ON "presales" USING btree ("status","ordinal" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "presales_starting" ON "presales" USING btree ("public_start_at") WHERE "presales"."status" = 'initializing';--> statement-breakpoint
CREATE INDEX "presales_ending" ON "presales" USING btree ("deadline") WHERE "presales"."status" = 'active';--> statement-breakpoint
CREATE INDEX "presales_full" ON "presales" USING btree ("id") WHERE "presales"."status" in ('active', 'settling') and "presales"."total_deposited_lamports" = "presales"."max_cap_lamports";--> statement-breakpoint
CREATE INDEX "presales_settling" ON "presales" USING btree ("settling_at") WHERE "presales"."status" = 'settling';--> statement-breakpoint
CREATE INDEX "presales_refunded" ON "presales" USING btree ("id") WHERE "presales"."status" = 'refunding' and "presales"."total_refunded_lamports" = "presales"."total_deposited_lamports";--> statement-breakpoint
CREATE INDEX "service_responses_expiry" ON "service_responses" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "staking_positions_wallet" ON "staking_positions" USING btree ("mint_address","wallet_address","id");--> statement-breakpoint
CREATE INDEX "staking_totals_leaderboard" ON "staking_totals" USING btree ("mint_address","staked_raw" DESC NULLS FIRST,"staked_since","wallet_address");--> statement-breakpoint
CREATE INDEX "token_names_symbol" ON "token_names" USING btree ("symbol_key" text_pattern_ops,"ordinal" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "token_names_name" ON "token_names" USING btree ("name_key" text_pattern_ops,"ordinal" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "token_names_mint" ON "token_names" USING btree ("mint_address" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "token_names_prominent" ON "token_names" USING btree ("mint_address") WHERE "token_names"."prominent";--> statement-breakpoint
CREATE INDEX "token_names_similar" ON "token_names" USING gin ("terms" gin_trgm_ops) WHERE "token_names"."prominent";--> statement-breakpoint
CREATE INDEX "token_rankings_market_cap" ON "token_rankings" USING btree ("market_cap_in_sol" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_status_market_cap" ON "token_rankings" USING btree ("status","market_cap_in_sol" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_volume_24h" ON "token_rankings" USING btree ("volume_in_sol_24h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_status_volume_24h" ON "token_rankings" USING btree ("status","volume_in_sol_24h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_trades_1h" ON "token_rankings" USING btree ("trade_count_1h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_status_trades_1h" ON "token_rankings" USING btree ("status","trade_count_1h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_price_change_1h" ON "token_rankings" USING btree ("price_change_percent_1h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_status_price_change_1h" ON "token_rankings" USING btree ("status","price_change_percent_1h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_graduation" ON "token_rankings" USING btree ("graduation_progress" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_status_graduation" ON "token_rankings" USING btree ("status","graduation_progress" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_last_trade" ON "token_rankings" USING btree ("last_trade_at" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_status_last_trade" ON "token_rankings" USING btree ("status","last_trade_at" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";--> statement-breakpoint
CREATE INDEX "token_rankings_due" ON "token_rankings" USING btree ("due_at") WHERE "token_rankings"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "tokens_listing" ON "tokens" USING btree ("ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";--> statement-breakpoint
CREATE INDEX "tokens_listed" ON "tokens" USING btree ("ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden" and "tokens"."listed";--> statement-breakpoint
CREATE INDEX "tokens_listed_launch_type" ON "tokens" USING btree ("launch_type","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden" and "tokens"."listed";--> statement-breakpoint
CREATE INDEX "tokens_listing_status" ON "tokens" USING btree ("status","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";--> statement-breakpoint
CREATE INDEX "tokens_listing_launch_type" ON "tokens" USING btree ("launch_type","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";--> statement-breakpoint
CREATE INDEX "tokens_listing_status_launch_type" ON "tokens" USING btree ("status","launch_type","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";--> statement-breakpoint
CREATE INDEX "tokens_graduated" ON "tokens" USING btree ("graduated_at") WHERE not "tokens"."hidden" and "tokens"."graduated_at" is not null;--> statement-breakpoint
CREATE INDEX "tokens_creator" ON "tokens" USING btree ("creator_wallet","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";--> statement-breakpoint
CREATE INDEX "tokens_creator_pools" ON "tokens" USING btree ("creator_wallet","mint_address" collate "C") WHERE not "tokens"."hidden" and "tokens"."listed" and "tokens"."pool_address" is not null;--> statement-breakpoint
CREATE INDEX "tokens_expired_unsigned" ON "tokens" USING btree ("created_at") WHERE not "tokens"."listed" and "tokens"."status" = 'expired';--> statement-breakpoint
CREATE INDEX "token_traders_recent" ON "token_traders" USING btree ("mint_address","last_trade_hour");--> statement-breakpoint
CREATE INDEX "token_traders_realised" ON "token_traders" USING btree ("mint_address","realised_in_sol" DESC NULLS FIRST) WHERE "token_traders"."realised_in_sol" > 0;--> statement-breakpoint
CREATE INDEX "candles_hours" ON "candles" USING btree ("open_time","mint_address") WHERE "candles"."interval" = '1h';--> statement-breakpoint
CREATE INDEX "reverted_trades_age" ON "reverted_trades" USING btree ("reverted_at");--> statement-breakpoint
CREATE INDEX "trades_chain_order" ON "trades" USING btree ("mint_address","slot" DESC NULLS FIRST,"transaction_index" DESC NULLS FIRST,"outer_index" DESC NULLS FIRST,"inner_index" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "trades_signature" ON "trades" USING hash ("transaction_signature");--> statement-breakpoint
CREATE INDEX "trades_wallet" ON "trades" USING btree ("trader_wallet","slot" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "intent_broadcasts_due" ON "intent_broadcasts" USING btree ("next_send_at");--> statement-breakpoint
CREATE INDEX "intent_broadcasts_protected_due" ON "intent_broadcasts" USING btree ("protected_send_at") WHERE "intent_broadcasts"."protected_send_at" is not null;--> statement-breakpoint
CREATE INDEX "intent_broadcasts_queued" ON "intent_broadcasts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "intent_landings_due" ON "intent_landings" USING btree ("due_at") WHERE "intent_landings"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "transaction_intents_account_kind" ON "transaction_intents" USING btree ("account_id","kind","status","id");--> statement-breakpoint
CREATE INDEX "transaction_intents_expiry" ON "transaction_intents" USING btree ("expires_at") WHERE "transaction_intents"."status" = 'prepared';--> statement-breakpoint
CREATE INDEX "transaction_intents_block_height" ON "transaction_intents" USING btree ("last_valid_block_height") WHERE "transaction_intents"."status" = 'prepared';--> statement-breakpoint
CREATE INDEX "event_leases_expiry" ON "event_leases" USING btree ("lease_expires_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_status" ON "webhook_deliveries" USING btree ("endpoint_id","status","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE "webhook_deliveries"."status" in ('pending', 'retrying') and "webhook_deliveries"."lease_expires_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_open" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at","id") WHERE "webhook_deliveries"."status" in ('pending', 'retrying');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leases" ON "webhook_deliveries" USING btree ("lease_expires_at") WHERE "webhook_deliveries"."status" = 'processing' and "webhook_deliveries"."lease_expires_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_changed" ON "webhook_endpoints" USING btree ("changed_xid") WHERE "webhook_endpoints"."changed_xid" is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_account" ON "webhook_endpoints" USING btree ("account_id","id") WHERE "webhook_endpoints"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_enabled" ON "webhook_endpoints" USING btree ("account_id","created_at") WHERE "webhook_endpoints"."deleted_at" is null and "webhook_endpoints"."status" = 'enabled';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_subscribed" ON "webhook_endpoints" USING gin ("event_types",(coalesce("subjects", '{*}'::text[]))) WITH (fastupdate=false) WHERE "webhook_endpoints"."deleted_at" is null and "webhook_endpoints"."status" = 'enabled';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_erasable" ON "webhook_endpoints" USING btree ("id") WHERE "webhook_endpoints"."sealed_previous_secret" is not null or ("webhook_endpoints"."deleted_at" is not null and octet_length("webhook_endpoints"."sealed_secret") > 0);--> statement-breakpoint
CREATE INDEX "webhook_endpoints_inactive" ON "webhook_endpoints" USING btree ("id") WHERE "webhook_endpoints"."status" = 'disabled' or "webhook_endpoints"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_failing" ON "webhook_endpoints" USING btree ("id") WHERE "webhook_endpoints"."failing_since" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_contact" ON "webhook_endpoints" USING btree ("account_id") WHERE "webhook_endpoints"."purpose" = 'contact' and "webhook_endpoints"."deleted_at" is null;--> statement-breakpoint
CREATE TRIGGER events_logged AFTER INSERT ON events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_events();
CREATE TRIGGER new_operations_logged AFTER INSERT ON operations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_operations();
CREATE TRIGGER operations_logged AFTER UPDATE ON operations REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_operations();
CREATE TRIGGER orders_added AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION log_order();
CREATE TRIGGER orders_changed AFTER UPDATE OF status ON orders FOR EACH ROW
  WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION log_order();
CREATE TRIGGER prediction_rounds_added AFTER INSERT ON prediction_rounds FOR EACH ROW EXECUTE FUNCTION log_prediction_round();
-- A prediction touches its round and names no status: it costs nothing more.
CREATE TRIGGER prediction_rounds_changed AFTER UPDATE OF status ON prediction_rounds FOR EACH ROW
  WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION log_prediction_round();
CREATE TRIGGER predictions_immutable BEFORE UPDATE OR DELETE ON predictions
  FOR EACH ROW EXECUTE FUNCTION refuse_prediction_change();
CREATE TRIGGER predictions_kept BEFORE TRUNCATE ON predictions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_prediction_change();
CREATE TRIGGER presales_added AFTER INSERT ON presales FOR EACH ROW WHEN (NEW.status <> 'draft') EXECUTE FUNCTION log_presale();
-- What the record shows of a presale that changes: its status and its deposits.
CREATE TRIGGER presales_changed AFTER UPDATE ON presales FOR EACH ROW
  WHEN (NEW.status <> 'draft' AND (NEW.status <> OLD.status OR NEW.total_deposited_lamports <> OLD.total_deposited_lamports
    OR NEW.participant_count <> OLD.participant_count)) EXECUTE FUNCTION log_presale();
CREATE TRIGGER new_proofs_logged AFTER INSERT ON source_proofs REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_proofs();
CREATE TRIGGER proofs_logged AFTER UPDATE ON source_proofs REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_proofs();
CREATE TRIGGER token_markets_logged AFTER UPDATE ON token_markets REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_markets();
CREATE TRIGGER threshold_ranked AFTER INSERT OR UPDATE OF graduation_threshold_in_sol ON token_pools
  FOR EACH ROW WHEN (NEW.graduation_threshold_in_sol IS NOT NULL) EXECUTE FUNCTION rank_threshold();
CREATE TRIGGER new_tokens_logged AFTER INSERT ON tokens REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_tokens();
CREATE TRIGGER tokens_logged AFTER UPDATE ON tokens REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_tokens();
CREATE TRIGGER reversals_logged AFTER DELETE ON trades REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION log_trades();
CREATE TRIGGER traders_uncounted AFTER INSERT ON trades REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT WHEN (coalesce(current_setting('launchwire.counts_traders', true), '') <> 'yes') EXECUTE FUNCTION note_uncounted_traders();
CREATE TRIGGER traders_uncounted_reversals AFTER DELETE ON trades REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT WHEN (coalesce(current_setting('launchwire.counts_traders', true), '') <> 'yes') EXECUTE FUNCTION note_uncounted_traders();
CREATE TRIGGER trades_logged AFTER INSERT ON trades REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION log_trades();
CREATE TRIGGER trades_of_tokens AFTER INSERT ON trades REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_unknown_tokens();
CREATE TRIGGER intent_message_taken AFTER INSERT ON transaction_intents
  FOR EACH ROW WHEN (NEW.recent_blockhash IS NOT NULL) EXECUTE FUNCTION take_intent_message();
CREATE TRIGGER deliveries_logged AFTER UPDATE ON webhook_deliveries REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_deliveries();
CREATE TRIGGER new_deliveries_logged AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_deliveries();
CREATE CONSTRAINT TRIGGER trade_followers_added AFTER INSERT ON webhook_endpoints DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.event_types && '{build.service.wallet.traded.v1,build.service.token.traded.v1}'::text[])
  EXECUTE FUNCTION note_trade_followers();
CREATE CONSTRAINT TRIGGER trade_followers_changed AFTER UPDATE ON webhook_endpoints DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((NEW.event_types || OLD.event_types) && '{build.service.wallet.traded.v1,build.service.token.traded.v1}'::text[]
    AND (NEW.version, NEW.status, NEW.deleted_at, NEW.event_types) IS DISTINCT FROM (OLD.version, OLD.status, OLD.deleted_at, OLD.event_types))
  EXECUTE FUNCTION note_trade_followers();
CREATE TRIGGER webhook_endpoints_stamp BEFORE INSERT ON "webhook_endpoints"
  FOR EACH ROW EXECUTE FUNCTION stamp_changed_endpoint();
CREATE TRIGGER webhook_endpoints_stamp_change BEFORE UPDATE ON "webhook_endpoints"
  FOR EACH ROW WHEN (to_jsonb(OLD) - 'failing_since' IS DISTINCT FROM to_jsonb(NEW) - 'failing_since')
  EXECUTE FUNCTION stamp_changed_endpoint();
--> statement-breakpoint
GRANT SELECT, UPDATE (created_at) ON accounts TO launchwire_api;
GRANT SELECT (id) ON accounts TO launchwire_internal;
GRANT SELECT, INSERT, UPDATE (last_used_at) ON api_key_uses TO launchwire_api;
GRANT SELECT ON api_keys TO launchwire_api;
GRANT SELECT ON candles TO launchwire_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON candles TO launchwire_worker;
GRANT SELECT, INSERT ON database_histories TO launchwire_worker;
GRANT SELECT, INSERT, DELETE ON endpoint_subjects TO launchwire_api;
GRANT SELECT ON endpoint_subjects TO launchwire_worker;
GRANT SELECT ON endpoint_subjects TO launchwire_relay;
GRANT SELECT, INSERT, UPDATE, DELETE ON event_leases TO launchwire_relay;
GRANT SELECT (account_id, body, id, recorded_in, subject, type), INSERT (account_id, body, created_at, id, only_endpoint_id, subject, traceparent, type) ON events TO launchwire_api;
GRANT SELECT, INSERT (account_id, body, created_at, id, only_endpoint_id, subject, traceparent, type), UPDATE (published_at) ON events TO launchwire_worker;
GRANT SELECT, INSERT (account_id, body, created_at, id, only_endpoint_id, subject, traceparent, type), UPDATE (fanned_out_at) ON events TO launchwire_relay;
GRANT INSERT (account_id, body, created_at, id, only_endpoint_id, subject, traceparent, type) ON events TO launchwire_internal;
GRANT SELECT ON fee_claimables TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON fee_claimables TO launchwire_worker;
GRANT SELECT, INSERT ON fee_claim_intents TO launchwire_api;
GRANT SELECT, UPDATE (settled_at, transaction_signature) ON fee_claim_intents TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE (status) ON fee_claims TO launchwire_worker;
GRANT SELECT ON fee_distributions TO launchwire_api;
GRANT SELECT, INSERT ON fee_distributions TO launchwire_worker;
GRANT SELECT (amm_pool_address, creator_wallet, leftover_wallet, mint_address, partner_wallet) ON fee_pools TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON fee_pools TO launchwire_worker;
GRANT SELECT (mint_address, nft_mint_address, position_address) ON fee_positions TO launchwire_api;
GRANT SELECT, INSERT ON fee_positions TO launchwire_worker;
GRANT SELECT ON fee_states TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON fee_states TO launchwire_worker;
GRANT SELECT ON fee_totals TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON fee_totals TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE (slot), DELETE ON followed_trades TO launchwire_worker;
GRANT SELECT ON holder_accounts TO launchwire_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON holder_accounts TO launchwire_worker;
GRANT SELECT ON holder_counting TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON holder_counting TO launchwire_worker;
GRANT SELECT ON holder_stats TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON holder_stats TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE ON idempotency_records TO launchwire_api;
GRANT SELECT (account_id, expires_at, key), UPDATE (expires_at), DELETE ON idempotency_records TO launchwire_worker;
GRANT SELECT, INSERT ON images TO launchwire_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON indexer_cursors TO launchwire_worker;
GRANT SELECT, UPDATE (generation, recorded_at, stream, through) ON ingest_position TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE (taken_back_at), DELETE ON unfinal_batches TO launchwire_worker;
GRANT SELECT (graduation_threshold_in_sol, mint_address, pool_address, program) ON token_pools TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON token_pools TO launchwire_worker;
GRANT SELECT (intent_id, misanswered, next_send_at, protected_send_at, send_count), INSERT, UPDATE (misanswered, next_send_at, protected_send_at, send_count) ON intent_broadcasts TO launchwire_api;
GRANT SELECT, INSERT, UPDATE (misanswered, next_send_at, protected_send_at, send_count), DELETE ON intent_broadcasts TO launchwire_worker;
GRANT SELECT ON intent_landings TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON intent_landings TO launchwire_worker;
GRANT SELECT ON intent_messages TO launchwire_internal;
GRANT SELECT, INSERT, UPDATE (answer, first_sent_at, first_slot, last_sent_at, reason, send_count, taken_count) ON intent_sends TO launchwire_api;
GRANT SELECT, INSERT, UPDATE (answer, first_sent_at, first_slot, last_sent_at, reason, send_count, taken_count) ON intent_sends TO launchwire_worker;
GRANT SELECT, INSERT ON launches TO launchwire_api;
GRANT SELECT, UPDATE (completed_at, status) ON launches TO launchwire_worker;
GRANT SELECT ON market_overview TO launchwire_api;
GRANT SELECT, UPDATE (as_of, body, computed_at) ON market_overview TO launchwire_worker;
GRANT SELECT ON liquidity_locks TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON liquidity_locks TO launchwire_worker;
GRANT SELECT, INSERT, DELETE ON operation_deliveries TO launchwire_worker;
GRANT SELECT (operation_id), DELETE ON operation_deliveries TO launchwire_internal;
GRANT SELECT, INSERT, DELETE ON operation_holders TO launchwire_worker;
GRANT SELECT (operation_id), DELETE ON operation_holders TO launchwire_internal;
GRANT SELECT ON operation_result_chunks TO launchwire_api;
GRANT SELECT, INSERT, DELETE ON operation_result_chunks TO launchwire_worker;
GRANT SELECT (operation_id), DELETE ON operation_result_chunks TO launchwire_internal;
GRANT SELECT ON operation_results TO launchwire_api;
GRANT SELECT, INSERT, UPDATE (expires_at), DELETE ON operation_results TO launchwire_worker;
GRANT SELECT (expires_at, operation_id) ON operation_results TO launchwire_internal;
GRANT SELECT, INSERT, DELETE ON operation_token_accounts TO launchwire_worker;
GRANT SELECT (operation_id), DELETE ON operation_token_accounts TO launchwire_internal;
GRANT SELECT, INSERT (account_id, created_at, due_at, id, input, kind, status) ON operations TO launchwire_api;
GRANT SELECT, UPDATE ON operations TO launchwire_worker;
GRANT SELECT, INSERT (account_id, created_at, due_at, id, input, kind, status), UPDATE (cancel_requested_at, checkpoint, completed_at, due_at, error_code, error_detail, error_request_id, lease_token, progress_completed, progress_total, progress_unit, result_url, started_at, status) ON operations TO launchwire_internal;
GRANT SELECT, INSERT, UPDATE (closing_intent_id, due_at) ON order_slots TO launchwire_api;
GRANT SELECT, UPDATE (completed_at, due_at, nonce, read_slot, status) ON order_slots TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE (sealed_transaction, signed_at) ON order_transactions TO launchwire_api;
GRANT SELECT, UPDATE (sealed_transaction) ON order_transactions TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE (advance_intent_id, attempts, completed_at, ends_at, intent_id, next_attempt_at, opened_at, reason, refusal, status, trigger_observed_price, trigger_slot, trigger_trade_id, triggered_at, version) ON orders TO launchwire_api;
GRANT SELECT, UPDATE (attempts, completed_at, ends_at, intent_id, next_attempt_at, opened_at, reason, refusal, status, trigger_observed_price, trigger_slot, trigger_trade_id, triggered_at, version) ON orders TO launchwire_worker;
GRANT SELECT ON platform_fee_accounts TO launchwire_api;
GRANT SELECT, UPDATE (consumed_by) ON prediction_intents TO launchwire_api;
GRANT SELECT, UPDATE (updated_at) ON prediction_rounds TO launchwire_api;
GRANT SELECT, UPDATE ON prediction_rounds TO launchwire_worker;
GRANT SELECT, INSERT (created_at, id, locks_at, minimum_balance_raw, mint_address, opens_at, prize_pool_lamports, requires_delegated_intent, settles_at, status, updated_at), UPDATE (status, updated_at, void_reason) ON prediction_rounds TO launchwire_internal;
GRANT SELECT, INSERT ON predictions TO launchwire_api;
GRANT SELECT, UPDATE (distance_ppm, payout_lamports, rank, status) ON predictions TO launchwire_worker;
GRANT SELECT (round_id, status), UPDATE (status) ON predictions TO launchwire_internal;
GRANT SELECT, INSERT ON presale_movements TO launchwire_worker;
GRANT SELECT ON presale_participations TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON presale_participations TO launchwire_worker;
GRANT SELECT ON presales TO launchwire_api;
GRANT SELECT, UPDATE ON presales TO launchwire_worker;
GRANT SELECT, INSERT (burn_bps, created_at, creator_commitment_lamports, deadline, id, max_cap_lamports, min_cap_lamports, mint_address, participant_count, per_wallet_cap_lamports, pool_bps, public_start_at, sale_bps, status, total_deposited_lamports, updated_at), UPDATE (status, updated_at) ON presales TO launchwire_internal;
GRANT SELECT, UPDATE (log_position, prominent_at, swept_through) ON ranking_progress TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON relay_members TO launchwire_relay;
GRANT SELECT (beat_at, delivers_trades) ON relay_members TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE (reverted_at), DELETE ON reverted_trades TO launchwire_worker;
GRANT SELECT ON source_proofs TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON source_proofs TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE (is_sealing) ON secret_keys TO launchwire_api;
GRANT SELECT, INSERT, UPDATE (is_known_to_relay, is_sealing) ON secret_keys TO launchwire_relay;
GRANT SELECT ON service_keys TO launchwire_internal;
GRANT SELECT (expires_at, key, service_key_id), UPDATE (expires_at), DELETE ON service_responses TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE ON service_responses TO launchwire_internal;
GRANT SELECT, INSERT, UPDATE (until) ON stream_followers TO launchwire_api;
GRANT SELECT (until), DELETE ON stream_followers TO launchwire_worker;
GRANT SELECT ON stream_log TO launchwire_api;
GRANT SELECT (id) ON stream_log TO launchwire_worker;
GRANT SELECT ON stream_progress TO launchwire_api;
GRANT SELECT ON stream_progress TO launchwire_worker;
GRANT SELECT ON staking_pools TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON staking_pools TO launchwire_worker;
GRANT SELECT ON staking_positions TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON staking_positions TO launchwire_worker;
GRANT SELECT ON staking_sums TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON staking_sums TO launchwire_worker;
GRANT SELECT ON staking_totals TO launchwire_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON staking_totals TO launchwire_worker;
GRANT SELECT ON token_names TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON token_names TO launchwire_worker;
GRANT SELECT ON token_rankings TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON token_rankings TO launchwire_worker;
GRANT SELECT, INSERT (as_of, mint_address) ON token_markets TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON token_markets TO launchwire_worker;
GRANT SELECT, INSERT (as_of, mint_address) ON token_markets TO launchwire_internal;
GRANT SELECT ON token_traders TO launchwire_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON token_traders TO launchwire_worker;
GRANT SELECT, INSERT (created_at, creator_wallet, decimals, description, image_url, launch_type, listed, mint_address, name, status, symbol, telegram, total_supply, twitter, updated_at, website) ON tokens TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON tokens TO launchwire_worker;
GRANT SELECT, INSERT (announce_history, created_at, creator_wallet, curve_completed_at, curve_created_at, curve_migrated_at, curve_stage, decimals, description, graduated_at, image_url, launch_type, launched_at, mint_address, name, pool_address, predictions_enabled, staking_vaults, status, symbol, telegram, tokenomics_vaults, told_events, total_supply, twitter, updated_at, website), UPDATE (announce_history, creator_wallet, curve_completed_at, curve_created_at, curve_migrated_at, curve_stage, decimals, description, graduated_at, hidden, image_url, launch_type, launched_at, name, pool_address, predictions_enabled, staking_vaults, status, symbol, telegram, tokenomics_vaults, told_events, total_supply, twitter, updated_at, website) ON tokens TO launchwire_internal;
GRANT SELECT ON trade_floor TO launchwire_worker;
GRANT SELECT ON trade_followers TO launchwire_worker;
GRANT SELECT ON trader_backfills TO launchwire_api;
GRANT SELECT, UPDATE, DELETE ON trader_backfills TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON trader_bases TO launchwire_worker;
GRANT SELECT ON trader_recounts TO launchwire_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON trader_recounts TO launchwire_worker;
GRANT SELECT ON trades TO launchwire_api;
GRANT SELECT, INSERT, DELETE ON trades TO launchwire_worker;
GRANT SELECT, INSERT (account_id, created_at, expected_signer, expires_at, id, kind, last_valid_block_height, launch_id, mint_address, policy, prepared_transaction, priority_level, quote, recent_blockhash, send_route, signature_offset, status, tip_lamports, version), UPDATE (keeps_route, signed_transaction, status, submitted_at, transaction_signature, version) ON transaction_intents TO launchwire_api;
GRANT SELECT, INSERT (account_id, created_at, expected_signer, expires_at, id, keeps_route, kind, last_valid_block_height, launch_id, mint_address, policy, prepared_transaction, priority_level, quote, recent_blockhash, send_route, signature_offset, signed_transaction, status, submitted_at, tip_lamports, transaction_signature, version), UPDATE (completed_at, error_code, error_detail, keeps_route, signed_transaction, status, submitted_at, transaction_signature, version) ON transaction_intents TO launchwire_worker;
GRANT SELECT, INSERT (account_id, created_at, expected_signer, expires_at, id, kind, last_valid_block_height, policy, prepared_transaction, priority_level, recent_blockhash, send_route, signature_offset, status, version) ON transaction_intents TO launchwire_internal;
GRANT SELECT ON wallets TO launchwire_api;
GRANT SELECT, INSERT, UPDATE (updated_at, username, verified) ON wallets TO launchwire_internal;
GRANT SELECT (attempt_number, connect_ms, delivery_id, dns_ms, error_code, error_reason, finished_at, first_byte_ms, hop_origin, redirect_count, response_body, response_status, started_at, succeeded, tls_ms, total_ms) ON webhook_attempts TO launchwire_api;
GRANT SELECT, INSERT, UPDATE ON webhook_attempts TO launchwire_relay;
GRANT SELECT, UPDATE (next_attempt_at, replay_count, schedule_index, status, updated_at) ON webhook_deliveries TO launchwire_api;
GRANT SELECT, INSERT (created_at, endpoint_id, event_id, event_type, id, next_attempt_at, status, updated_at), UPDATE (next_attempt_at, replay_count, schedule_index, status, updated_at), DELETE ON webhook_deliveries TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE (attempt_count, delivered_at, last_error_code, lease_expires_at, next_attempt_at, response_status, schedule_index, status, updated_at) ON webhook_deliveries TO launchwire_relay;
GRANT SELECT, INSERT, UPDATE ON webhook_endpoints TO launchwire_api;
GRANT SELECT (account_id, created_at, deleted_at, event_scopes, event_types, id, status, subjects, updated_at, version) ON webhook_endpoints TO launchwire_worker;
GRANT SELECT, UPDATE (disabled_reason, failing_announced, failing_since, pause_reason, paused_until, status, updated_at, version) ON webhook_endpoints TO launchwire_relay;
GRANT SELECT ON worker_keys TO launchwire_api;
GRANT SELECT, INSERT, UPDATE (seen_at) ON worker_keys TO launchwire_worker;
GRANT USAGE ON SEQUENCE operation_token_accounts_ordinal_seq TO launchwire_worker;
--> statement-breakpoint
-- The one row of each table that has one.
INSERT INTO stream_progress (deleted_through) VALUES (0);
INSERT INTO ingest_position (generation) VALUES (gen_random_uuid()::text);
-- The timeline of today: a cluster may have been promoted before this database was made.
SELECT setval('log_timeline', current_timeline());
INSERT INTO event_order (cluster, origin, epoch_timeline)
SELECT system_identifier::text, events_origin(), current_timeline() FROM pg_control_system();
INSERT INTO database_histories SELECT database_history(), '-infinity';
INSERT INTO market_overview (only_row) VALUES (true);
INSERT INTO ranking_progress DEFAULT VALUES;
INSERT INTO trade_followers DEFAULT VALUES;
