-- Each process works as a role of its own that may do what its statements need and nothing else (decision 0016).
-- Owner: migrations and the admin CLI. A new table or column list is closed to all three until a migration opens it.
-- Roles belong to the cluster: another database may have made them, or make them at this very moment.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['launchwire_api', 'launchwire_worker', 'launchwire_relay'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;
      END;
    END IF;
  END LOOP;
END $$;
--> statement-breakpoint
-- Nothing is open to everybody. The database itself only where the owner migrates it; elsewhere its owner decides.
DO $$
BEGIN
  IF (SELECT pg_has_role(current_user, datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) THEN
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO launchwire_api, launchwire_worker, launchwire_relay',
      current_database());
  END IF;
END $$;
--> statement-breakpoint
REVOKE ALL ON SCHEMA public FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, launchwire_api, launchwire_worker, launchwire_relay;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, launchwire_api, launchwire_worker, launchwire_relay;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC, launchwire_api, launchwire_worker, launchwire_relay;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO launchwire_api, launchwire_worker, launchwire_relay;
--> statement-breakpoint
-- The api answers requests: it reads facts, and writes what its mutations change.
GRANT SELECT ON accounts, api_keys, wallets, tokens, token_markets, trades, candles, holder_stats, liquidity_locks,
  fee_states, fee_claimables, fee_distributions, fee_totals, staking_pools, staking_positions, staking_totals,
  staking_sums, presales, presale_participations, prediction_rounds, prediction_intents, predictions,
  operations, operation_results, operation_result_chunks, transaction_intents, webhook_endpoints, webhook_deliveries,
  idempotency_records TO launchwire_api;
-- Row locks ask for the right to update some column: these are the ones that matter least.
GRANT UPDATE (created_at) ON accounts TO launchwire_api;
GRANT UPDATE (updated_at) ON prediction_rounds TO launchwire_api;
GRANT INSERT (id, type, subject, account_id, only_endpoint_id, body, created_at, traceparent) ON events TO launchwire_api;
GRANT INSERT, UPDATE ON idempotency_records TO launchwire_api;
GRANT UPDATE (status, version, signed_transaction, submitted_at) ON transaction_intents TO launchwire_api;
GRANT INSERT ON intent_broadcasts TO launchwire_api;
GRANT UPDATE (consumed_by) ON prediction_intents TO launchwire_api;
GRANT INSERT ON predictions TO launchwire_api;
GRANT INSERT, UPDATE ON webhook_endpoints TO launchwire_api;
GRANT UPDATE (status, next_attempt_at, schedule_index, replay_count, updated_at) ON webhook_deliveries
  TO launchwire_api;
--> statement-breakpoint
-- The worker writes facts of the chain, drives what time moves, and publishes events. It reads no secret, sealed or
-- hashed, and no stored response.
GRANT SELECT, INSERT, UPDATE ON tokens, token_markets, holder_stats, liquidity_locks, indexer_cursors, fee_states,
  fee_claimables, fee_totals, staking_pools, staking_positions, staking_sums, presale_participations
  TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON candles, staking_totals TO launchwire_worker;
GRANT SELECT, INSERT, DELETE ON trades TO launchwire_worker;
GRANT SELECT, INSERT, DELETE, UPDATE (reverted_at) ON reverted_trades TO launchwire_worker;
GRANT SELECT, INSERT ON fee_distributions, presale_movements TO launchwire_worker;
GRANT SELECT, UPDATE ON presales, prediction_rounds, operations TO launchwire_worker;
GRANT SELECT, UPDATE (status, rank, distance_ppm, payout_lamports) ON predictions TO launchwire_worker;
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at) ON operation_results TO launchwire_worker;
GRANT SELECT, INSERT, DELETE ON operation_result_chunks, operation_token_accounts, operation_holders,
  operation_deliveries TO launchwire_worker;
GRANT USAGE ON SEQUENCE operation_token_accounts_ordinal_seq TO launchwire_worker;
GRANT SELECT, UPDATE (status, version, completed_at, error_code, error_detail, transaction_signature)
  ON transaction_intents TO launchwire_worker;
GRANT SELECT, DELETE, UPDATE (next_send_at, send_count) ON intent_broadcasts TO launchwire_worker;
GRANT SELECT, INSERT (id, type, subject, account_id, only_endpoint_id, body, created_at, traceparent), UPDATE (published_at)
  ON events TO launchwire_worker;
GRANT SELECT (account_id, key, expires_at), UPDATE (expires_at), DELETE ON idempotency_records TO launchwire_worker;
GRANT SELECT (id, account_id, status, deleted_at) ON webhook_endpoints TO launchwire_worker;
GRANT SELECT, UPDATE (status, next_attempt_at, schedule_index, replay_count, updated_at) ON webhook_deliveries
  TO launchwire_worker;
--> statement-breakpoint
-- The relay delivers events. It knows nothing of accounts, API keys, intents, operations or tokens.
GRANT SELECT, INSERT (id, type, subject, account_id, only_endpoint_id, body, created_at, traceparent), UPDATE (fanned_out_at)
  ON events TO launchwire_relay;
GRANT SELECT, UPDATE (status, disabled_reason, paused_until, version, updated_at) ON webhook_endpoints
  TO launchwire_relay;
GRANT SELECT, INSERT, UPDATE (status, attempt_count, schedule_index, next_attempt_at, lease_expires_at,
  last_error_code, response_status, delivered_at, updated_at) ON webhook_deliveries TO launchwire_relay;
GRANT SELECT, INSERT, UPDATE ON webhook_attempts TO launchwire_relay;
