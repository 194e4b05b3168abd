import type { Queryable } from './client.ts';
import { type DatabaseRole, databaseRoles } from './roles.ts';

/**
 * S, I, U, D on the whole table; columns in parentheses where only those are granted. An absent role has no
 * rights.
 */
export type Rights = { api?: string; worker?: string; relay?: string; internal?: string };

const EVENT = 'account_id, body, created_at, id, only_endpoint_id, subject, traceparent, type';
const DELIVERY = 'created_at, endpoint_id, event_id, event_type, id, next_attempt_at, status, updated_at';
const SEND = 'answer, first_sent_at, first_slot, last_sent_at, reason, send_count, taken_count';
const ORDER =
  'attempts, completed_at, ends_at, intent_id, next_attempt_at, opened_at, reason, refusal, status, ' +
  'trigger_observed_price, trigger_slot, trigger_trade_id, triggered_at, version';
const REPLAY = 'next_attempt_at, replay_count, schedule_index, status, updated_at';

/**
 * The grants of the migrations, for every table of the schema: a new table without a line here fails
 * test/integration/roles.test.ts, and `admin doctor` compares a database with this list.
 */
export const grants: Readonly<Record<string, Rights>> = {
  accounts: { api: 'S U(created_at)', internal: 'S(id)' },
  api_key_uses: { api: 'S I U(last_used_at)' },
  api_keys: { api: 'S' },
  candles: { api: 'S', worker: 'S I U D' },
  database_histories: { worker: 'S I' },
  endpoint_subjects: { api: 'S I D', worker: 'S', relay: 'S' },
  event_order: {},
  event_leases: { relay: 'S I U D' },
  events: {
    api: `S(account_id, body, id, recorded_in, subject, type) I(${EVENT})`,
    worker: `S I(${EVENT})`,
    relay: `S I(${EVENT})`,
    internal: `I(${EVENT})`,
  },
  events_to_fan_out: { worker: 'S', relay: 'S D' },
  // Rows are locked while they are published, which takes the right to change them.
  events_to_publish: { worker: 'S U D' },
  fee_claimables: { api: 'S', worker: 'S I U' },
  fee_claim_intents: { api: 'S I', worker: 'S U(settled_at, transaction_signature)' },
  fee_claims: { worker: 'S I U(status)' },
  fee_distributions: { api: 'S', worker: 'S I' },
  fee_pools: {
    api: 'S(amm_pool_address, creator_wallet, leftover_wallet, mint_address, partner_wallet)',
    worker: 'S I U',
  },
  fee_positions: { api: 'S(mint_address, nft_mint_address, position_address)', worker: 'S I' },
  fee_states: { api: 'S', worker: 'S I U' },
  fee_totals: { api: 'S', worker: 'S I U' },
  followed_trades: { worker: 'S I U(slot) D' },
  holder_accounts: { api: 'S', worker: 'S I U D' },
  holder_counting: { api: 'S', worker: 'S I U' },
  holder_stats: { api: 'S', worker: 'S I U' },
  idempotency_records: { api: 'S I U', worker: 'S(account_id, expires_at, key) U(expires_at) D' },
  images: { api: 'S I' },
  indexer_cursors: { worker: 'S I U D' },
  ingest_position: { worker: 'S U(generation, recorded_at, stream, through)' },
  unfinal_batches: { worker: 'S I U(taken_back_at) D' },
  token_pools: {
    api: 'S(graduation_threshold_in_sol, mint_address, pool_address, program)',
    worker: 'S I U',
  },
  intent_broadcasts: {
    api: 'S(intent_id, misanswered, next_send_at, send_count) I U(misanswered, next_send_at, send_count)',
    worker: 'S I U(misanswered, next_send_at, send_count) D',
  },
  intent_landings: { api: 'S', worker: 'S I U' },
  intent_messages: { internal: 'S' },
  intent_sends: { api: `S I U(${SEND})`, worker: `S I U(${SEND})` },
  launches: { api: 'S I', worker: 'S U(completed_at, status)' },
  market_overview: { api: 'S', worker: 'S U(as_of, body, computed_at)' },
  liquidity_locks: { api: 'S', worker: 'S I U' },
  operation_holders: { worker: 'S I D', internal: 'S(operation_id) D' },
  operation_result_chunks: { api: 'S', worker: 'S I D', internal: 'S(operation_id) D' },
  operation_results: { api: 'S', worker: 'S I U(expires_at) D', internal: 'S(expires_at, operation_id)' },
  operation_token_accounts: { worker: 'S I D', internal: 'S(operation_id) D' },
  operations: {
    api: 'S I(account_id, created_at, due_at, id, input, kind, status)',
    worker: 'S U',
    internal:
      'S I(account_id, created_at, due_at, id, input, kind, status) U(cancel_requested_at, checkpoint, completed_at, due_at, error_code, error_detail, error_request_id, lease_token, progress_completed, progress_total, progress_unit, result_url, started_at, status)',
  },
  order_slots: {
    api: 'S I U(closing_intent_id, due_at)',
    worker: 'S U(completed_at, due_at, nonce, read_slot, status)',
  },
  order_transactions: { api: 'S I U(sealed_transaction, signed_at)', worker: 'S U(sealed_transaction)' },
  orders: { api: `S I U(advance_intent_id, ${ORDER})`, worker: `S U(${ORDER})` },
  platform_fee_accounts: { api: 'S' },
  prediction_intents: { api: 'S U(consumed_by)' },
  prediction_rounds: {
    api: 'S U(updated_at)',
    worker: 'S U',
    internal:
      'S I(created_at, id, locks_at, minimum_balance_raw, mint_address, opens_at, prize_pool_lamports, requires_delegated_intent, settles_at, status, updated_at) U(status, updated_at, void_reason)',
  },
  predictions: {
    api: 'S I',
    worker: 'S U(distance_ppm, payout_lamports, rank, status)',
    internal: 'S(round_id, status) U(status)',
  },
  presale_movements: { worker: 'S I' },
  presale_participations: { api: 'S', worker: 'S I U' },
  presales: {
    api: 'S',
    worker: 'S U',
    internal:
      'S I(burn_bps, created_at, creator_commitment_lamports, deadline, id, max_cap_lamports, min_cap_lamports, mint_address, participant_count, per_wallet_cap_lamports, pool_bps, public_start_at, sale_bps, status, total_deposited_lamports, updated_at) U(status, updated_at)',
  },
  ranking_progress: { worker: 'S U(log_position, prominent_at, swept_through)' },
  relay_members: { relay: 'S I U D' },
  reverted_trades: { worker: 'S I U(reverted_at) D' },
  source_proofs: { api: 'S', worker: 'S I U' },
  secret_keys: { api: 'S I U(is_sealing)', relay: 'S I U(is_known_to_relay, is_sealing)' },
  service_keys: { internal: 'S' },
  service_responses: {
    worker: 'S(expires_at, key, service_key_id) U(expires_at) D',
    internal: 'S I U',
  },
  stream_followers: { api: 'S I U(until)', worker: 'S(until) D' },
  stream_log: { api: 'S', worker: 'S(id)' },
  stream_progress: { api: 'S', worker: 'S' },
  staking_pools: { api: 'S', worker: 'S I U' },
  staking_positions: { api: 'S', worker: 'S I U' },
  staking_sums: { api: 'S', worker: 'S I U' },
  staking_totals: { api: 'S', worker: 'S I U D' },
  token_names: { api: 'S', worker: 'S I U' },
  token_rankings: { api: 'S', worker: 'S I U' },
  token_markets: { api: 'S I(as_of, mint_address)', worker: 'S I U', internal: 'S I(as_of, mint_address)' },
  token_traders: { api: 'S', worker: 'S I U D' },
  tokens: {
    api:
      'S I(created_at, creator_wallet, decimals, description, image_url, launch_type, listed, mint_address, name, status, ' +
      'symbol, telegram, total_supply, twitter, updated_at, website)',
    worker: 'S I U',
    internal:
      'S I(announce_history, created_at, creator_wallet, curve_completed_at, curve_created_at, curve_migrated_at, curve_stage, decimals, description, graduated_at, image_url, launch_type, launched_at, mint_address, name, pool_address, predictions_enabled, staking_vaults, status, symbol, telegram, tokenomics_vaults, told_events, total_supply, twitter, updated_at, website) U(announce_history, creator_wallet, curve_completed_at, curve_created_at, curve_migrated_at, curve_stage, decimals, description, graduated_at, hidden, image_url, launch_type, launched_at, name, pool_address, predictions_enabled, staking_vaults, status, symbol, telegram, tokenomics_vaults, told_events, total_supply, twitter, updated_at, website)',
  },
  trade_floor: { worker: 'S' },
  trade_followers: { worker: 'S' },
  trader_bases: { worker: 'S I U D' },
  trader_recounts: { api: 'S', worker: 'S I U D' },
  trades: { api: 'S', worker: 'S I D' },
  transaction_intents: {
    api:
      'S I(account_id, created_at, expected_signer, expires_at, id, kind, last_valid_block_height, launch_id, ' +
      'mint_address, policy, prepared_transaction, priority_level, quote, recent_blockhash, send_route, signature_offset, ' +
      'status, tip_lamports, version) U(signed_transaction, status, submitted_at, transaction_signature, version)',
    worker:
      'S I(account_id, created_at, expected_signer, expires_at, id, kind, last_valid_block_height, launch_id, ' +
      'mint_address, policy, prepared_transaction, priority_level, quote, recent_blockhash, send_route, signature_offset, ' +
      'signed_transaction, status, submitted_at, tip_lamports, transaction_signature, version) ' +
      'U(completed_at, error_code, error_detail, signed_transaction, status, submitted_at, transaction_signature, version)',
    internal:
      'S I(account_id, created_at, expected_signer, expires_at, id, kind, last_valid_block_height, policy, prepared_transaction, priority_level, recent_blockhash, send_route, signature_offset, status, version)',
  },
  visible_tokens: { api: 'S', worker: 'S' },
  wallets: { api: 'S', internal: 'S I U(updated_at, username, verified)' },
  webhook_attempts: {
    api:
      'S(attempt_number, connect_ms, delivery_id, dns_ms, error_code, error_reason, finished_at, first_byte_ms, hop_origin, ' +
      'redirect_count, response_body, response_status, started_at, succeeded, tls_ms, total_ms)',
    relay: 'S I U',
  },
  webhook_deliveries: {
    api: `S U(${REPLAY})`,
    worker: `S I(${DELIVERY}) U(${REPLAY}) D`,
    relay:
      'S I U(attempt_count, delivered_at, last_error_code, lease_expires_at, next_attempt_at, response_status, ' +
      'schedule_index, status, updated_at)',
  },
  webhook_endpoints: {
    api: 'S I U',
    worker:
      'S(account_id, created_at, deleted_at, event_scopes, event_types, id, status, subjects, updated_at, version)',
    relay:
      'S U(disabled_reason, failing_announced, failing_since, pause_reason, paused_until, status, updated_at, version)',
  },
  worker_keys: { api: 'S', worker: 'S I U(seen_at)' },
};

const LETTERS = { SELECT: 'S', INSERT: 'I', UPDATE: 'U', DELETE: 'D' } as const;

/** Reads the rights of a role on a table in the notation of `grants`; unknown privileges keep their names. */
export async function readRights(db: Queryable, role: DatabaseRole, table: string): Promise<string> {
  const whole = await db<{ privilege: string }[]>`
    select privilege from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
      with ordinality as p (privilege, at)
    where has_table_privilege(${role}, ${`public.${table}`}, privilege) order by at`;
  const columns = await db<{ privilege: string; names: string }[]>`
    select privilege, string_agg(attname, ', ' order by attname collate "C") as names
    from unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) as privilege, pg_attribute
    where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped
      and has_column_privilege(${role}, attrelid, attnum, privilege)
      and not has_table_privilege(${role}, attrelid, privilege)
    group by privilege`;
  const texts = new Map<string, string>(whole.map(({ privilege }) => [privilege, privilege]));
  for (const { privilege, names } of columns) texts.set(privilege, `${privilege}(${names})`);
  const order = [...Object.keys(LETTERS), ...[...texts.keys()].filter((name) => !(name in LETTERS))];
  return order
    .flatMap((name) => texts.get(name) ?? [])
    .map((text) => text.replace(/^[A-Z]+/, (name) => LETTERS[name as keyof typeof LETTERS] ?? name))
    .join(' ');
}

/** Reads the rights of every role on every table in the notation of `grants`. */
export async function readGrants(db: Queryable): Promise<Record<string, Rights>> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition order by relname collate "C"`;
  const found: Record<string, Rights> = {};
  for (const { name } of tables) {
    const rights: Rights = {};
    for (const role of databaseRoles) {
      const text = await readRights(db, role, name);
      if (text !== '') rights[processOf(role)] = text;
    }
    found[name] = rights;
  }
  return found;
}

/** Lists the differences between a database and `grants`, one sentence each. */
export async function grantMistakes(db: Queryable): Promise<string[]> {
  const found = await readGrants(db);
  return Object.keys({ ...grants, ...found }).flatMap((table) =>
    databaseRoles.flatMap((role) => {
      const process = processOf(role);
      const is = found[table]?.[process] ?? 'nothing';
      const mustBe = grants[table]?.[process] ?? 'nothing';
      return is === mustBe ? [] : [`${role} has the rights ${is} on ${table}, not ${mustBe}`];
    }),
  );
}

function processOf(role: DatabaseRole): keyof Rights {
  return role.replace('launchwire_', '') as keyof Rights;
}
