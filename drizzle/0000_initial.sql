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
	"traceparent" text,
	"created_at" timestamp with time zone NOT NULL,
	"published_at" timestamp with time zone,
	"fanned_out_at" timestamp with time zone,
	CONSTRAINT "events_body" CHECK (octet_length("events"."body") <= 65536)
);
--> statement-breakpoint
CREATE TABLE "fee_claimables" (
	"mint_address" text NOT NULL,
	"wallet_address" text NOT NULL,
	"claimable_lamports" numeric NOT NULL,
	"slot" bigint NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	CONSTRAINT "fee_claimables_pk" PRIMARY KEY("mint_address","wallet_address"),
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
	CONSTRAINT "fee_distributions_ordinal" UNIQUE("ordinal"),
	CONSTRAINT "fee_distributions_identity" UNIQUE("transaction_signature","instruction_index"),
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
	"slot" bigint NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
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
	"locked_participant_count" integer,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "prediction_rounds_ordinal" UNIQUE("ordinal"),
	CONSTRAINT "prediction_rounds_status" CHECK ("prediction_rounds"."status" in ('scheduled', 'open', 'locked', 'settling', 'settled', 'voided')),
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
	"traceparent" text,
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
CREATE TABLE "wallets" (
	"address" text PRIMARY KEY NOT NULL,
	"username" text,
	"verified" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallets_username" CHECK (char_length("wallets"."username") between 1 and 64)
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
	CONSTRAINT "webhook_attempts_number" UNIQUE("delivery_id","attempt_number"),
	CONSTRAINT "webhook_attempts_error_detail" CHECK (char_length("webhook_attempts"."error_detail") <= 500)
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
	"judged_from" timestamp with time zone DEFAULT now() NOT NULL,
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
ALTER TABLE "fee_claimables" ADD CONSTRAINT "fee_claimables_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_distributions" ADD CONSTRAINT "fee_distributions_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_states" ADD CONSTRAINT "fee_states_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_totals" ADD CONSTRAINT "fee_totals_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holder_stats" ADD CONSTRAINT "holder_stats_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "liquidity_locks" ADD CONSTRAINT "liquidity_locks_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_deliveries" ADD CONSTRAINT "operation_deliveries_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_holders" ADD CONSTRAINT "operation_holders_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_result_chunks" ADD CONSTRAINT "operation_result_chunks_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_results" ADD CONSTRAINT "operation_results_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operation_token_accounts" ADD CONSTRAINT "operation_token_accounts_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_intents" ADD CONSTRAINT "prediction_intents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_intents" ADD CONSTRAINT "prediction_intents_round_id_prediction_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."prediction_rounds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_intents" ADD CONSTRAINT "prediction_intents_consumed_by_predictions_id_fk" FOREIGN KEY ("consumed_by") REFERENCES "public"."predictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_rounds" ADD CONSTRAINT "prediction_rounds_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_round_id_prediction_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."prediction_rounds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presale_movements" ADD CONSTRAINT "presale_movements_presale_id_presales_id_fk" FOREIGN KEY ("presale_id") REFERENCES "public"."presales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presale_participations" ADD CONSTRAINT "presale_participations_presale_id_presales_id_fk" FOREIGN KEY ("presale_id") REFERENCES "public"."presales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presales" ADD CONSTRAINT "presales_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staking_pools" ADD CONSTRAINT "staking_pools_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staking_positions" ADD CONSTRAINT "staking_positions_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staking_sums" ADD CONSTRAINT "staking_sums_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staking_totals" ADD CONSTRAINT "staking_totals_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
CREATE INDEX "fee_distributions_listing" ON "fee_distributions" USING btree ("mint_address","slot" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "idempotency_records_expiry" ON "idempotency_records" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "liquidity_locks_pool" ON "liquidity_locks" USING btree ("pool_address");--> statement-breakpoint
CREATE INDEX "operation_results_expiry" ON "operation_results" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "operation_token_accounts_operation" ON "operation_token_accounts" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "operations_account" ON "operations" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "operations_due" ON "operations" USING btree ("due_at") WHERE "operations"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "prediction_intents_lookup" ON "prediction_intents" USING btree ("round_id","wallet_address","account_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "prediction_rounds_listing" ON "prediction_rounds" USING btree ("mint_address","ordinal" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "prediction_rounds_opening" ON "prediction_rounds" USING btree ("opens_at") WHERE "prediction_rounds"."status" = 'scheduled';--> statement-breakpoint
CREATE INDEX "prediction_rounds_locking" ON "prediction_rounds" USING btree ("locks_at") WHERE "prediction_rounds"."status" = 'open';--> statement-breakpoint
CREATE INDEX "prediction_rounds_settling" ON "prediction_rounds" USING btree ("settles_at") WHERE "prediction_rounds"."status" in ('locked', 'settling');--> statement-breakpoint
CREATE INDEX "predictions_round" ON "predictions" USING btree ("round_id","id");--> statement-breakpoint
CREATE INDEX "predictions_standings" ON "predictions" USING btree ("round_id","rank") WHERE "predictions"."rank" is not null;--> statement-breakpoint
CREATE INDEX "presales_listing" ON "presales" USING btree ("ordinal" DESC NULLS FIRST) WHERE "presales"."status" <> 'draft';--> statement-breakpoint
CREATE INDEX "presales_starting" ON "presales" USING btree ("public_start_at") WHERE "presales"."status" = 'initializing';--> statement-breakpoint
CREATE INDEX "presales_ending" ON "presales" USING btree ("deadline") WHERE "presales"."status" = 'active';--> statement-breakpoint
CREATE INDEX "presales_full" ON "presales" USING btree ("id") WHERE "presales"."status" in ('active', 'settling') and "presales"."total_deposited_lamports" = "presales"."max_cap_lamports";--> statement-breakpoint
CREATE INDEX "presales_settling" ON "presales" USING btree ("settling_at") WHERE "presales"."status" = 'settling';--> statement-breakpoint
CREATE INDEX "presales_refunded" ON "presales" USING btree ("id") WHERE "presales"."status" = 'refunding' and "presales"."total_refunded_lamports" = "presales"."total_deposited_lamports";--> statement-breakpoint
CREATE INDEX "staking_positions_wallet" ON "staking_positions" USING btree ("mint_address","wallet_address","id");--> statement-breakpoint
CREATE INDEX "staking_totals_leaderboard" ON "staking_totals" USING btree ("mint_address","staked_raw" DESC NULLS FIRST,"staked_since","wallet_address");--> statement-breakpoint
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
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE "webhook_deliveries"."status" in ('pending', 'retrying');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_open" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at","id") WHERE "webhook_deliveries"."status" in ('pending', 'retrying');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leases" ON "webhook_deliveries" USING btree ("lease_expires_at") WHERE "webhook_deliveries"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_account" ON "webhook_endpoints" USING btree ("account_id","id") WHERE "webhook_endpoints"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_enabled" ON "webhook_endpoints" USING btree ("account_id","created_at") WHERE "webhook_endpoints"."deleted_at" is null and "webhook_endpoints"."status" = 'enabled';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_inactive" ON "webhook_endpoints" USING btree ("id") WHERE "webhook_endpoints"."status" = 'disabled' or "webhook_endpoints"."deleted_at" is not null;