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
	CONSTRAINT "service_keys_groups" CHECK ("service_keys"."groups" <@ array['intents', 'tokens', 'wallets', 'rounds', 'presales', 'operations']::text[])
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
ALTER TABLE "service_responses" ADD CONSTRAINT "service_responses_service_key_id_service_keys_id_fk" FOREIGN KEY ("service_key_id") REFERENCES "public"."service_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "service_responses_expiry" ON "service_responses" USING btree ("expires_at");
--> statement-breakpoint
-- The internal API works as a role of its own (decision 0030): it writes what its operations change and reads what they return.
-- It knows no API key, no stored response of an account, no webhook endpoint and no secret.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'launchwire_internal') THEN
    BEGIN
      CREATE ROLE launchwire_internal NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END IF;
END $$;
--> statement-breakpoint
DO $$
BEGIN
  IF (SELECT pg_has_role(current_user, datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) THEN
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO launchwire_internal', current_database());
  END IF;
END $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO launchwire_internal;
GRANT SELECT ON service_keys, tokens, token_markets, wallets, prediction_rounds, presales, operations,
  transaction_intents TO launchwire_internal;
GRANT SELECT (id) ON accounts TO launchwire_internal;
GRANT SELECT, INSERT, UPDATE ON service_responses TO launchwire_internal;
GRANT INSERT (id, type, subject, account_id, only_endpoint_id, body, created_at, traceparent) ON events TO launchwire_internal;
GRANT INSERT (id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset, recent_blockhash,
  last_valid_block_height, policy, version, expires_at, created_at) ON transaction_intents TO launchwire_internal;
GRANT INSERT (mint_address, creator_wallet, name, symbol, launch_type, status, description, image_url, pool_address,
  telegram, twitter, website, launched_at, graduated_at, decimals, total_supply, predictions_enabled, created_at,
  updated_at, staking_vaults, tokenomics_vaults, announce_history, told_events, curve_stage, curve_created_at,
  curve_completed_at, curve_migrated_at) ON tokens TO launchwire_internal;
GRANT UPDATE (creator_wallet, name, symbol, launch_type, status, description, image_url, pool_address, telegram,
  twitter, website, launched_at, graduated_at, decimals, total_supply, predictions_enabled, hidden, updated_at,
  staking_vaults, tokenomics_vaults, announce_history, told_events, curve_stage, curve_created_at, curve_completed_at,
  curve_migrated_at) ON tokens TO launchwire_internal;
GRANT INSERT (mint_address, as_of) ON token_markets TO launchwire_internal;
GRANT INSERT, UPDATE (username, verified, updated_at) ON wallets TO launchwire_internal;
GRANT INSERT (id, mint_address, status, minimum_balance_raw, prize_pool_lamports, requires_delegated_intent, opens_at,
  locks_at, settles_at, created_at, updated_at), UPDATE (status, updated_at, void_reason) ON prediction_rounds TO launchwire_internal;
GRANT SELECT (round_id, status), UPDATE (status) ON predictions TO launchwire_internal;
GRANT INSERT (id, mint_address, status, burn_bps, pool_bps, sale_bps, creator_commitment_lamports, min_cap_lamports,
  max_cap_lamports, per_wallet_cap_lamports, total_deposited_lamports, participant_count, public_start_at, deadline,
  created_at, updated_at), UPDATE (status, updated_at) ON presales TO launchwire_internal;
GRANT INSERT (id, account_id, kind, status, input, created_at, due_at), UPDATE (status, started_at, completed_at,
  due_at, lease_token, checkpoint, result_url, error_code, error_detail, error_request_id, progress_completed,
  progress_total, progress_unit, cancel_requested_at) ON operations TO launchwire_internal;
GRANT SELECT (operation_id, expires_at) ON operation_results TO launchwire_internal;
-- A cancelled operation leaves none of its work behind.
GRANT SELECT (operation_id), DELETE ON operation_result_chunks, operation_token_accounts, operation_holders,
  operation_deliveries TO launchwire_internal;
--> statement-breakpoint
-- The worker deletes responses whose time is over, and reads none.
GRANT SELECT (service_key_id, key, expires_at), UPDATE (expires_at), DELETE ON service_responses TO launchwire_worker;
