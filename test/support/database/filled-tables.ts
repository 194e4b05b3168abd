import type { PendingQuery, Row } from 'postgres';
import type { Database } from '../../../src/db/client.ts';

const TOKENS = 20_000;
const TRADES = 40_000;
/** Spreads the trades over five partitions. */
const SLOTS_PER_TRADE = 1_200;
const DELIVERIES = 20_000;
/** Before the first of the intents that were sent, one every two minutes for a week. */
export const SENT_INTENTS_MS = Math.floor(Date.now() / 1_000) * 1_000 - 8 * 86_400_000;
export const ENDPOINT = '00000000-0000-7000-8000-00000000000e';
export const ACCOUNT = '00000000-0000-7000-8000-00000000000a';
export const mintOf = (number: number) => `Mint${'1'.repeat(32)}${String(number).padStart(8, 'z')}`;
export const someMint = mintOf(2);
/** One presale in seven is active. */
export const presaleOf = (number: number) =>
  `00000000-0000-0000-0000-${number.toString(16).padStart(12, '0')}`;

/** Fills every table with thousands of rows, distributed like those of a busy platform. */
export async function fillTables(db: Database): Promise<void> {
  await fillMarket(db);
  await fillAccounts(db);
  await fillStakes(db);
  await fillPresales(db);
  await fillRounds(db);
  await fillOrders(db);
}

/** UUIDv7 of an event. Numbers are spread over four weeks, including the present one, so that no partition is
 * nearly empty. */
const eventId = (db: Database, number: PendingQuery<Row[]>) => db`(
  lpad(to_hex((extract(epoch from date_trunc('week', now()) - interval '21 days') * 1000)::int8 + ${number}::int8 * 120000), 12, '0')
  || '7' || lpad(to_hex(${number} % 4096), 3, '0') || repeat('8', 12) || lpad(to_hex(${number}), 4, '0'))::uuid`;

/** One token in fifty carries most of the trades, as on a real launchpad. */
async function fillMarket(db: Database): Promise<void> {
  const mint = db`'Mint' || repeat('1', 32) || lpad(n::text, 8, 'z')`;
  await db`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
      hidden, created_at, updated_at)
    select ${mint}, case when n % 100 = 0 then 'w' else 'w' || n end, 'n', 's', 6, 1, case when n % 10 = 0 then 'pre_raise' else 'dbc' end,
      case when n % 50 = 0 then 'graduated' else 'bonding' end, n % 7 = 0, now(), now()
    from generate_series(1, ${TOKENS}::int) n`;
  await db`insert into token_markets (mint_address, as_of) select mint_address, now() from tokens`;
  await db`
    insert into token_rankings (mint_address, ordinal, status, launch_type, listed, market_cap_in_sol, volume_in_sol_24h,
      trade_count_1h, price_change_percent_1h, graduation_progress, last_trade_at, due_at)
    select mint_address, ordinal, status, launch_type, not hidden,
      case when ordinal % 3 = 0 then '-Infinity' else ordinal::numeric end, ordinal % 1000, ordinal % 100, ordinal % 50 - 25,
      ordinal % 40 / 40.0, now() - ordinal * interval '1 minute', now() + ordinal * interval '1 second'
    from tokens`;
  await db`
    insert into token_names (mint_address, ordinal, symbol_key, name_key, terms, prominent)
    select mint_address, ordinal, left(md5(ordinal::text), 6), md5(ordinal::text),
      left(md5(ordinal::text), 6) || ' ' || md5(ordinal::text), ordinal % 2 = 0
    from tokens`;
  await db`
    insert into holder_stats (mint_address, holder_count, provenance, slot, as_of)
    select mint_address, 1, 'trade_replay', 1, now() from tokens`;
  await db`
    insert into trades (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol, slot,
      transaction_index, outer_index, inner_index, block_time, transaction_signature)
    select gen_random_uuid(), 'Mint' || repeat('1', 32) || lpad((case when t % 2 = 0 then 1 else t % 100 end + 1)::text, 8, 'z'),
      'buy', 'w', 1, 1, 1, t * ${SLOTS_PER_TRADE}::int8, 0, 0, 0, '2026-01-01Z'::timestamptz + t * interval '10 seconds', 'signature' || t
    from generate_series(1, ${TRADES}::int) t`;
  await db`
    insert into reverted_trades (trade_id, slot, reverted_at)
    select gen_random_uuid(), n, now() from generate_series(1, 20000) n`;
  await db`
    insert into candles (mint_address, interval, open_time, open, high, low, close, volume_in_sol, volume_in_token,
      trade_count, open_position, close_position)
    select mint_address, name, date_bin(length, block_time, 'epoch'), 1, 1, 1, 1, count(*), count(*), count(*),
      lpad(min(slot)::text, 20, '0') || ':', lpad(max(slot)::text, 20, '0') || ':'
    from trades cross join (values ('1m', interval '1 minute'), ('1h', interval '1 hour')) as i (name, length)
    group by 1, 2, 3`;
}

/** Inserts 20,000 stakers of one token and 20,000 payments of its fees. */
async function fillStakes(db: Database): Promise<void> {
  await db`
    insert into staking_pools (mint_address, pool_address, status, total_staked_raw, staker_count,
      reward_rate_per_second_raw, rewards_distributed_raw, lock_period_seconds, slot, as_of)
    select mint_address, mint_address, 'active', 1, 1, 1, 1, 1, 1, now() from tokens`;
  await db`
    insert into staking_positions (id, position_address, mint_address, wallet_address, staked_raw,
      pending_rewards_raw, claimed_rewards_raw, staked_at, slot, as_of)
    select gen_random_uuid(), 'position' || n, ${someMint}, 'wallet' || n, n % 500 + 1, 0, 0, now(), 1, now()
    from generate_series(1, 20000) n`;
  await db`
    insert into staking_totals (mint_address, wallet_address, staked_raw, staked_since)
    select mint_address, wallet_address, staked_raw, staked_at from staking_positions`;
  await db`
    insert into staking_sums (mint_address, staked_raw, as_of)
    select mint_address, sum(staked_raw), now() from staking_totals group by mint_address`;
  await db`
    insert into fee_states (mint_address, creator_bps, platform_bps, stakers_bps, accrued_lamports, slot, as_of)
    select mint_address, 1, 1, 1, 1, 1, now() from tokens`;
  await db`
    insert into fee_pools (mint_address, pool_address, config_address, partner_wallet, creator_wallet, leftover_wallet,
      amm_pool_address, checked_at)
    select mint_address, 'pool' || mint_address, 'config', 'partner', creator_wallet, 'partner', 'amm' || mint_address, now()
    from tokens`;
  await db`
    insert into fee_positions (position_address, mint_address, owner_wallet, nft_mint_address)
    select 'position' || mint_address, mint_address, 'partner', 'nft' || mint_address from tokens`;
  await db`
    insert into token_pools (pool_address, mint_address, program, created_at)
    select 'amm' || mint_address, mint_address, 'damm_v2', now() from tokens`;
  await db`insert into fee_totals (mint_address, distributed_lamports) select mint_address, 1 from tokens`;
  await db`
    insert into fee_claimables (mint_address, wallet_address, claimable_lamports, slot, as_of)
    select mint_address, wallet_address, 1, 1, now() from staking_totals`;
  await db`
    insert into fee_distributions (id, mint_address, recipient_wallet, role, amount_lamports, transaction_signature,
      instruction_index, slot, distributed_at)
    select gen_random_uuid(), ${someMint}, 'w', 'creator', 1, 'signature' || n, 0, n, now()
    from generate_series(1, 20000) n`;
}

/** Inserts rounds in every status, a few of them due. The first one is settled and has half of all
 * predictions. */
async function fillRounds(db: Database): Promise<void> {
  await db`
    insert into prediction_rounds (id, mint_address, status, minimum_balance_raw, prize_pool_lamports,
      requires_delegated_intent, opens_at, locks_at, settles_at, locked_at, locked_participant_count, settled_at,
      settlement_price_in_sol, created_at, updated_at)
    select lpad(to_hex(n), 32, '0')::uuid, ${someMint}, status, 0, 0, true, at, at + interval '1 hour',
      at + interval '2 hours', case when status in ('locked', 'settling', 'settled') then now() end,
      case when status in ('locked', 'settling', 'settled') then 1 end,
      case status when 'settled' then now() end, case status when 'settled' then 1 end, now(), now()
    from (select n, case when n <= 5 then (array['settled', 'scheduled', 'open', 'locked', 'settling'])[n]
        else (array['scheduled', 'open', 'settled', 'voided'])[n % 4 + 1] end as status,
      case when n <= 5 then now() - interval '1 day' else now() + n * interval '1 day' end as at
      from generate_series(1, 5000) n) r`;
  await db`update tokens set predictions_enabled = true where mint_address = ${someMint}`;
  await db`
    insert into predictions (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status,
      evaluation_slot, balance_raw, submitted_at, rank, distance_ppm)
    select lpad(to_hex(n), 32, '0')::uuid,
      lpad(to_hex(case when n <= 3000 then 1 else n % 300 + 1001 end), 32, '0')::uuid, ${ACCOUNT}, 'wallet' || n,
      'u', 1, 'settled', 1, 1, now(), n, n
    from generate_series(1, 6000) n`;
  await db`
    insert into prediction_intents (id, account_id, round_id, wallet_address, predicted_price_in_sol, signature,
      expires_at, created_at)
    select gen_random_uuid(), ${ACCOUNT}, ${presaleOf(3)}, 'wallet' || n, 1, decode(repeat('00', 64), 'hex'), now(), now()
    from generate_series(1, 3000) n`;
  await db`
    insert into wallets (address, username, verified, created_at, updated_at)
    select 'wallet' || n, 'u', true, now(), now() from generate_series(1, 3000) n`;
}

/** Inserts presales in every status. One is due, and one has 20,000 participants. */
async function fillPresales(db: Database): Promise<void> {
  await db`
    insert into presales (id, mint_address, status, burn_bps, pool_bps, sale_bps, creator_commitment_lamports,
      min_cap_lamports, max_cap_lamports, per_wallet_cap_lamports, total_deposited_lamports, participant_count,
      public_start_at, deadline, settling_at, created_at, updated_at)
    select lpad(to_hex(n), 32, '0')::uuid, ${someMint}, status, 0, 4000, 6000, 0, 1, 1000000, 1000000, 1, 0,
      case status when 'initializing' then now() + interval '1 day' else now() - interval '1 day' end,
      now() + (n + 2) * interval '1 day', case when status in ('settling', 'settled', 'refunding', 'failed') then now() + interval '1 day' end,
      now(), now()
    from (select n, (array['draft', 'initializing', 'active', 'settling', 'settled', 'refunding', 'failed'])[n % 7 + 1]
      as status from generate_series(1, 20000) n) p`;
  await db`update presales set deadline = now() where id = ${presaleOf(9)}`;
  await db`
    insert into presale_participations (presale_id, wallet_address, status, deposited_lamports, refunded_lamports,
      claimed_raw, created_at, updated_at)
    select ${presaleOf(2)}, 'wallet' || n, 'deposited', 1, 0, 0, now(), now() from generate_series(1, 20000) n`;
  await db`
    insert into presale_movements (transaction_signature, instruction_index, presale_id, kind, wallet_address, amount,
      slot, block_time)
    select 'signature' || n, 0, ${presaleOf(2)}, 'deposit', 'wallet' || n, 1, 1, now()
    from generate_series(1, 20000) n`;
}

async function fillAccounts(db: Database): Promise<void> {
  await db`insert into accounts (id, created_at) select gen_random_uuid(), now() from generate_series(1, 5000)`;
  await db`insert into accounts (id, created_at) values (${ACCOUNT}, now())`;
  await db`
    insert into platform_fee_accounts (account_id, address, created_at, updated_at)
    select id, ${'1'.repeat(32)}, now(), now() from accounts`;
  await db`
    insert into images (account_id, source_hash, hash, content_type, width, height, byte_length, created_at)
    select a.id, lpad(to_hex(n), 64, '0'), lpad(to_hex(n % 1000), 64, '0'), 'image/png', 1, 1, 1,
      now() - n * interval '1 hour'
    from (select id from accounts limit 100) a, generate_series(1, 100) n`;
  await db`
    insert into api_keys (id, account_id, environment, name, secret_hash, wallet_address, scopes, created_at)
    select lpad(n::text, 16, '0'), ${ACCOUNT}, 'test', 'n', decode(repeat('00', 32), 'hex'), 'w', '{}', now()
    from generate_series(1, 5000) n`;
  await db`
    insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction,
      signature_offset, policy, version, expires_at, created_at, signed_transaction, submitted_at)
    select lpad(to_hex(n), 32, '0')::uuid, ${ACCOUNT}, 'swap', 'submitted', 'w', '', 0, '{}', 1, now(), now(), '', now()
    from generate_series(1, 5000) n`;
  await db`
    insert into order_slots (id, account_id, intent_id, nonce_address, wallet_address, status, nonce, read_slot, due_at,
      created_at, completed_at)
    select id, ${ACCOUNT}, id, 'nonce' || id, 'w', case when n <= 20 then 'ready' else 'closed' end, 'n', 1,
      now() + interval '1 minute', now(), case when n > 20 then now() end
    from (select id, row_number() over () as n from transaction_intents) i`;
  await db`
    insert into orders (id, account_id, slot_id, wallet_address, nonce_address, nonce, mint_address, side, amount_raw,
      limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version, reason, expires_at,
      ends_at, created_at, opened_at, completed_at)
    select id, ${ACCOUNT}, id, 'w', 'nonce' || n, 'n', 'mint' || n, 'buy', 1, 1, 1, 'at_or_below', 'trade', 'fast', 0,
      case when n <= 100 then 'open' else 'cancelled' end, 1, case when n > 100 then 'requested' end,
      now() + interval '1 day', now() + interval '1 day', now(), now(), case when n > 100 then now() end
    from (select id, row_number() over (order by id) as n from order_slots) s`;
  await db`
    insert into order_transactions (id, order_id, venue, prepared_transaction, signature_offset, message_hash, policy,
      quote, sending, sealed_transaction, signed_at)
    select id, id, 'curve', 'b', 1, sha256(convert_to(id::text, 'UTF8')), '{}', '{}', '{}',
      case when status = 'open' then 's'::bytea end, now()
    from orders`;
  await db`
    insert into operations (id, account_id, kind, status, input, created_at, started_at, completed_at, due_at)
    select lpad(to_hex(n), 32, '0')::uuid, ${ACCOUNT}, 'audience_export',
      case when n % 500 = 0 then 'queued' else 'succeeded' end, '{}', now(), now(),
      case when n % 500 <> 0 then now() end, case when n % 500 = 0 then now() end
    from generate_series(1, 5000) n`;
  await db`
    insert into operation_results (operation_id, content_type, file_name, byte_length, expires_at)
    select id, 't', 'f', 1, now() + interval '1 hour' from operations where status = 'succeeded'`;
  await db`
    insert into operation_result_chunks (operation_id, ordinal, content)
    select operation_id, 0, 'x' from operation_results`;
  await db`
    insert into intent_broadcasts (intent_id, next_send_at, created_at)
    select id, now() + interval '1 hour', now() from transaction_intents`;
  const preparedMs = db`${SENT_INTENTS_MS}::int8 + n * 120000`;
  await db`
    insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction,
      signature_offset, policy, version, expires_at, created_at, signed_transaction, submitted_at, completed_at)
    select (lpad(to_hex(${preparedMs}), 12, '0') || '7' || repeat('8', 19))::uuid, ${ACCOUNT}, 'launch', 'confirmed', 'w', '', 0,
      '{}', 1, now(), to_timestamp((${preparedMs}) / 1000.0), '', to_timestamp((${preparedMs}) / 1000.0), now()
    from generate_series(1, 5000) n`;
  await db`
    insert into launches (id, account_id, intent_id, mint_address, status, creator_wallet, name, symbol, metadata_url,
      config_name, config_address, pool_address, created_at, completed_at)
    select lpad(to_hex(n), 32, '0')::uuid, ${ACCOUNT}, i.id, t.mint_address,
      case when n % 500 = 0 then 'failed' else 'bonding' end, 'w', 'n', 's', 'u', 'd', 'c', 'p', now(), now()
    from (select id, row_number() over () as n from transaction_intents where kind = 'launch') i
    join (select mint_address, row_number() over () as n from tokens) t using (n)`;
  await db`
    insert into intent_landings (intent_id, slot, finality, landed_at, settled_at)
    select id, 1, 'finalized', now(), now() from transaction_intents where kind = 'launch'`;
  await db`
    insert into fee_claim_intents (intent_id, account_id, wallet_address, claims, in_sol, created_at, settled_at,
      transaction_signature)
    select id, ${ACCOUNT}, 'w', '[]', 1, now(), case when row_number() over (order by id) > 20 then now() end,
      case when row_number() over (order by id) between 10 and 4990 then 'claim' || id end
    from transaction_intents where kind = 'launch'`;
  await db`
    insert into intent_sends (intent_id, target, first_sent_at, last_sent_at, first_slot, send_count, taken_count, answer)
    select id, 'address-' || a, now(), now(), 1, 1, 1, 'accepted'
    from transaction_intents, generate_series(1, 3) a where kind = 'launch'`;
  await db`
    insert into events (id, type, subject, account_id, body, created_at, recorded_in)
    select ${eventId(db, db`n`)}, 't', 's', case when n % 10 = 3 then ${ACCOUNT}::uuid end, '{}', now(),
      (n / 50)::text::xid8
    from generate_series(1, ${DELIVERIES}::int) n`;
  await db`
    delete from events_to_publish
    where event_id not in (select event_id from events_to_publish order by event_id desc limit 5)`;
  await db`
    insert into webhook_endpoints (id, account_id, url, event_types, status, sealed_secret, secret_rotated_at, version,
      created_at, updated_at)
    select case n when 1 then ${ENDPOINT}::uuid else gen_random_uuid() end, ${ACCOUNT}, 'https://x.test', '{*}',
      'enabled', '', now(), 1, now(), now()
    from generate_series(1, 200) n`;
  await db`
    insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
    select id, ${ENDPOINT}, id, 't', case when due then 'pending' else 'succeeded' end,
      case when due then now() end, now(), case when due then now() else now() - interval '28 days' end
    from (select id, right(id::text, 3) = '000' as due from events) e`;
  await db`
    insert into webhook_attempts (delivery_id, attempt_number, started_at, finished_at, succeeded)
    select id, 1, now(), now(), true from webhook_deliveries`;
}

/** Inserts 20,000 open orders of one account on 200 tokens. One order of each token sells at 0.5 or below. */
async function fillOrders(db: Database): Promise<void> {
  const [slot] = await db<{ id: string; accountId: string }[]>`
    insert into order_slots (id, account_id, nonce_address, wallet_address, status, nonce, read_slot, due_at, created_at)
    select gen_random_uuid(), id, 'nonce account of orders', 'w', 'ready', 'n', 1, now() + interval '1 day', now()
    from accounts where id <> ${ACCOUNT} limit 1
    returning id, account_id`;
  await db`
    insert into orders (id, account_id, slot_id, wallet_address, nonce_address, nonce, mint_address, side, amount_raw,
      limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version, expires_at, ends_at,
      created_at, opened_at)
    select gen_random_uuid(), ${slot?.accountId ?? ''}, ${slot?.id ?? ''}, 'w', 'nonce account of orders', 'n',
      'Mint' || repeat('1', 32) || lpad((n % 200 + 1)::text, 8, 'z'), 'sell', 1, 1,
      case when n < 200 then 0.5 when n % 400 < 200 then 0.4 - n / 100000.0 else 1 + n / 1000.0 end,
      case when n % 400 < 200 then 'at_or_below' else 'at_or_above' end,
      case when n % 800 < 400 then 'trade' else 'spot' end, 'fast', 0, 'open', 2, now() + interval '30 days',
      now() + interval '30 days', '2026-01-01Z', '2026-01-01Z'
    from generate_series(0, 19999) n`;
}
