-- Flows of the api prepare intents: what the CLI alone did before.
GRANT INSERT (id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset, recent_blockhash,
  last_valid_block_height, policy, version, expires_at, created_at) ON transaction_intents TO launchwire_api;
