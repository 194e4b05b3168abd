-- The rules of a row of `transaction_intents` in one function (decisions/0089): Postgres parses the text of each check again for every
-- statement, 70 to 100 µs for these nine, and a function stays compiled in its session.
CREATE OR REPLACE FUNCTION is_intent_whole(status text, completed_at timestamptz, error_code text, send_route text,
  kind text, priority_level text, signed_transaction bytea, submitted_at timestamptz, version integer) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN status IN ('prepared', 'submitted', 'confirmed', 'expired', 'failed')
    AND (status IN ('confirmed', 'expired', 'failed')) = (completed_at IS NOT NULL)
    AND (status IN ('submitted', 'confirmed', 'failed')) = (signed_transaction IS NOT NULL AND submitted_at IS NOT NULL)
    AND (status = 'failed') = (error_code IS NOT NULL)
    AND (error_code IS NULL OR error_code IN ('solana_transaction_failed', 'transaction_intent_invalid_state', 'transaction_intent_expired',
      'transaction_intent_broadcast_exhausted', 'solana_blockhash_expired', 'solana_signature_mismatch'))
    AND send_route IN ('fast', 'protected')
    AND (priority_level IS NULL OR priority_level IN ('min', 'low', 'medium', 'high', 'veryHigh'))
    AND kind ~ '^[a-z][a-z0-9_]*$'
    AND version > 0;
END $$;
GRANT EXECUTE ON FUNCTION is_intent_whole(text, timestamp with time zone, text, text, text, text, bytea, timestamp with time zone, integer) TO launchwire_api, launchwire_worker, launchwire_internal;
