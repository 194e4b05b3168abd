import { beforeAll, expect, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import type { PendingQuery, Row } from 'postgres';
import { type ClaimedEndpoint, claimDue, nextDue } from '../../relay/claim.ts';
import { classify } from '../../relay/classify.ts';
import { EventBodies } from '../../relay/event-bodies.ts';
import { fanOut } from '../../relay/fan-out.ts';
import { expireLeases } from '../../relay/leases.ts';
import { type AttemptResult, recordResults } from '../../relay/record.ts';
import type { Allotment } from '../../relay/slots.ts';
import type { Database } from '../../src/db/client.ts';
import { makePartitions } from '../../src/db/partitions.ts';
import { listDistributions, toDistribution } from '../../src/features/fees/distributions.ts';
import { findFeeState } from '../../src/features/fees/state.ts';
import { createKeyStore } from '../../src/features/identity/key-store.ts';
import { judgeWindow } from '../../src/features/market/candle-window.ts';
import { listCandles } from '../../src/features/market/candles.ts';
import { findHolderStats } from '../../src/features/market/holder-stats.ts';
import { findMarketSnapshot } from '../../src/features/market/snapshot.ts';
import { listTrades } from '../../src/features/market/trades.ts';
import { deleteExpiredResults, findChunk } from '../../src/features/operations/result-store.ts';
import { claimOperation } from '../../src/features/operations/runner/lease.ts';
import { findOperation } from '../../src/features/operations/store.ts';
import { findDueRounds } from '../../src/features/predictions/advance-round.ts';
import { listEntries } from '../../src/features/predictions/entries.ts';
import { moveRound } from '../../src/features/predictions/move-round.ts';
import { findPrediction } from '../../src/features/predictions/prediction-record.ts';
import { findRound, listRounds } from '../../src/features/predictions/round-store.ts';
import { findSettlingRounds } from '../../src/features/predictions/settle-round.ts';
import { findSettlementPrice } from '../../src/features/predictions/settlement-price.ts';
import { listStandings } from '../../src/features/predictions/standings.ts';
import {
  findRoundMint,
  holdOpenRound,
  insertPrediction,
  readSubmissionFacts,
} from '../../src/features/predictions/submission-store.ts';
import { advancePresales, findDuePresales } from '../../src/features/presales/advance.ts';
import { recordMovements } from '../../src/features/presales/movements.ts';
import { requireParticipation } from '../../src/features/presales/participation.ts';
import { findPresale, listPresales } from '../../src/features/presales/store.ts';
import { listLeaderboard } from '../../src/features/staking/leaderboard.ts';
import { findStakingPool } from '../../src/features/staking/pool.ts';
import { listOwnedPositions } from '../../src/features/staking/positions.ts';
import { findToken, listTokens } from '../../src/features/tokens/store.ts';
import { claimBroadcasts } from '../../src/features/transaction-intents/broadcast-store.ts';
import { findIntent } from '../../src/features/transaction-intents/submission-store.ts';
import { createDeliverySweep } from '../../src/features/webhooks/delivery-retention.ts';
import { listDeliveries } from '../../src/features/webhooks/delivery-store.ts';
import { listFinishedDeliveries } from '../../src/features/webhooks/replay-deliveries.ts';
import { storeFeeClaimables } from '../../src/indexer/store-fee-claimables.ts';
import { storeFeeDistributions } from '../../src/indexer/store-fee-distributions.ts';
import { storeReversals } from '../../src/indexer/store-reversals.ts';
import { storeStakingPositions } from '../../src/indexer/store-staking-positions.ts';
import { storeTrades } from '../../src/indexer/store-trades.ts';
import { publishBatch } from '../../src/outbox/publish.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { atEnd } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { claimableMessage, distributionMessage } from '../support/fees.ts';
import { numberedTrade } from '../support/market-arbitraries.ts';
import { roundContext } from '../support/prediction-stage.ts';
import { movementOf, presaleContext } from '../support/presales.ts';
import {
  bigTables,
  effortOf,
  genericEffortOf,
  recordingDatabase,
  type SentStatement,
  undone,
} from '../support/query-plans.ts';
import { sharedNatsUrl } from '../support/services.ts';
import { positionMessage } from '../support/staking.ts';

const TOKENS = 20_000;
const TRADES = 40_000;
/** Spreads the trades over five partitions. */
const SLOTS_PER_TRADE = 1_200;
const DELIVERIES = 20_000;
/** A page of 101, a window of 1,000 and a batch of endpoints are fine; a table is not. */
const ROWS_MAX = 1_500;
const ENDPOINT = '00000000-0000-7000-8000-00000000000e';
const ACCOUNT = '00000000-0000-7000-8000-00000000000a';
const mintOf = (number: number) => `Mint${'1'.repeat(32)}${String(number).padStart(8, 'z')}`;
const someMint = mintOf(2);
/** One in seven is active: those whose number leaves 2. */
const presaleOf = (number: number) => `00000000-0000-0000-0000-${number.toString(16).padStart(12, '0')}`;

let db: Database;
let sent: SentStatement[];
/** A broker without streams: it refuses what is published. */
let connection: NatsConnection;
let big: ReadonlySet<string>;
/** Of the last hours. Each has a delivery under the same id. */
let recentEvents: string[];

beforeAll(async () => {
  ({ db, sent } = recordingDatabase((await createTestDatabase()).url));
  connection = await connectBus(await sharedNatsUrl(), 'test');
  atEnd(() => connection.close());
  await fillMarket();
  await fillAccounts();
  await fillStakes();
  await fillPresales();
  await fillRounds();
  // What was filled in has no partitions yet.
  await makePartitions(db, null);
  await db`analyze`;
  big = await bigTables(db, 1_000);
  const newest = await db<{ id: string }[]>`select id from events order by id desc limit 50`;
  recentEvents = newest.map(({ id }) => id);
  // Filling every table takes longer than other preparations do.
});

/** UUIDv7 of an event: numbers are spread over the last four weeks. */
const eventId = (number: PendingQuery<Row[]>) => db`(
  lpad(to_hex((extract(epoch from now() - interval '28 days') * 1000)::int8 + ${number}::int8 * 120000), 12, '0')
  || '7' || lpad(to_hex(${number} % 4096), 3, '0') || repeat('8', 12) || lpad(to_hex(${number}), 4, '0'))::uuid`;

/** One token in fifty carries most of the trades, as on a real launchpad. */
async function fillMarket(): Promise<void> {
  const mint = db`'Mint' || repeat('1', 32) || lpad(n::text, 8, 'z')`;
  await db`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
      hidden, created_at, updated_at)
    select ${mint}, 'w', 'n', 's', 6, 1, case when n % 10 = 0 then 'pre_raise' else 'dbc' end,
      case when n % 50 = 0 then 'graduated' else 'bonding' end, n % 7 = 0, now(), now()
    from generate_series(1, ${TOKENS}::int) n`;
  await db`insert into token_markets (mint_address, as_of) select mint_address, now() from tokens`;
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
    select mint_address, '1m', date_trunc('minute', block_time), 1, 1, 1, 1, count(*), count(*), count(*),
      lpad(min(slot)::text, 20, '0') || ':', lpad(max(slot)::text, 20, '0') || ':'
    from trades group by mint_address, date_trunc('minute', block_time)`;
}

/** 20,000 stakers of one token, and as many payments of its fees. */
async function fillStakes(): Promise<void> {
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

/** Rounds in every status, a few of them due; half of all predictions are in the first, which is settled. */
async function fillRounds(): Promise<void> {
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

/** Presales in every status, none of them due but one; one with 20,000 participants. */
async function fillPresales(): Promise<void> {
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

async function fillAccounts(): Promise<void> {
  await db`insert into accounts (id, created_at) select gen_random_uuid(), now() from generate_series(1, 5000)`;
  await db`insert into accounts (id, created_at) values (${ACCOUNT}, now())`;
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
  await db`
    insert into events (id, type, subject, body, created_at, published_at)
    select ${eventId(db`n`)}, 't', 's', '{}', now(), case when n <= ${DELIVERIES - 5}::int then now() end
    from generate_series(1, ${DELIVERIES}::int) n`;
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

const window = judgeWindow('1m', '2026-01-02T00:00:00Z', '2026-01-02T16:40:00Z');
const position = ['36000000', '0', '0', '0', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;
const allotment = { full: new Set<string>(), room: (_id: string, wanted: number) => wanted };

/** A first attempt that failed. */
function resultOf(deliveryId: string): AttemptResult {
  const endpoint: ClaimedEndpoint = {
    id: ENDPOINT,
    url: 'https://x.test',
    sealedSecret: new Uint8Array(),
    sealedPreviousSecret: null,
    previousSecretExpiresAt: null,
  };
  const event = { deliveryId, eventId: deliveryId, eventType: 't', startedAt: new Date() };
  return {
    claim: { ...event, attemptNumber: 2, scheduleIndex: 0, queuedMs: 0, endpoint },
    verdict: classify({ kind: 'answered', status: 500, retryAfter: null }, new Date()),
    errorDetail: null,
    trace: {
      resolvedAddress: null,
      redirectCount: 0,
      connectionReused: false,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: null,
      totalMs: 1,
      bodyStart: null,
    },
    step: { transition: 'failed', delayMs: 1_000 },
  };
}

/** Every hot read and claim, as the product runs it. */
const hot: Record<string, () => Promise<unknown>> = {
  getToken: () => findToken(db, someMint),
  'listTokens without filter': () => listTokens(db, { limit: 100 }),
  'listTokens, a later page': () => listTokens(db, { limit: 100, beforeOrdinal: 1_000n }),
  'listTokens by status': () => listTokens(db, { limit: 100, status: 'graduated' }),
  'listTokens by an empty status': () => listTokens(db, { limit: 100, status: 'failed' }),
  'listTokens by launch type': () => listTokens(db, { limit: 100, launchType: 'pre_raise' }),
  'listTokens by both': () => listTokens(db, { limit: 100, status: 'bonding', launchType: 'pre_raise' }),
  'trades, first page': () => listTrades(db, someMint, { limit: 100 }),
  'trades, a later page': () => listTrades(db, someMint, { limit: 100, before: position }),
  'trades of a token with few': () => listTrades(db, mintOf(60), { limit: 100 }),
  'candles, the longest window': () => listCandles(db, someMint, window, new Date()),
  'market snapshot': () => findMarketSnapshot(db, someMint),
  'holder statistics': () => findHolderStats(db, someMint),
  'deliveries, first page': () => listDeliveries(db, ENDPOINT, { limit: 100 }),
  'deliveries by status': () => listDeliveries(db, ENDPOINT, { limit: 100, status: 'pending' }),
  'API key': () => createKeyStore(db, () => 0).find('0000000000000042'),
  'intent by id': () => findIntent(db, '00000000-0000-0000-0000-000000000042', ACCOUNT),
  'operation by id': () => findOperation(db, '00000000-0000-0000-0000-000000000042', ACCOUNT),
  'operations due': () =>
    claimOperation(db, ['audience_export'], { leaseToken: ACCOUNT, leaseMs: 1_000, now: new Date() }),
  'operation result piece': () => findChunk(db, '00000000-0000-0000-0000-000000000042', 0),
  'operation results, expired': () => deleteExpiredResults(db, new Date(), 5),
  'deliveries to replay': () =>
    listFinishedDeliveries(db, ENDPOINT, {
      status: 'succeeded',
      since: new Date(0),
      afterId: null,
      limit: 1_000,
    }),
  'outbox, unpublished': () => publishBatch(db, connection, systemClock, 100),
  'event bodies': async () => new EventBodies(db).read(recentEvents),
  'fan-out': () => fanOut(db, recentEvents.slice(0, 1), () => {}),
  'attempt results': () =>
    recordResults(db, presaleContext(db, systemClock).context.outbox, recentEvents.map(resultOf)),
  'leases that ended': () => expireLeases(db),
  'deliveries to delete': () => createDeliverySweep()(db, new Date(), 8, 100),
  'broadcasts due': () => claimBroadcasts(db, new Date(), 100),
  'deliveries due': () =>
    claimDue(db, null, {
      perEndpoint: 8,
      batch: 100,
      leaseMs: 1_000,
      allotment: allotment as unknown as Allotment,
    }),
  'next delivery due': () => nextDue(db),
  'staking pool': () => findStakingPool(db, someMint),
  'staking leaderboard': () => listLeaderboard(db, someMint),
  'owned positions': () => listOwnedPositions(db, someMint, 'wallet42'),
  'fee state': () => findFeeState(db, someMint, 'wallet42'),
  'fee distributions, first page': () => listDistributions(db, someMint, { limit: 100 }),
  'fee distributions, a later page': () =>
    listDistributions(db, someMint, { limit: 100, before: ['10000', '9223372036854775807'] }),
  presale: () => findPresale(db, presaleOf(2)),
  'presales, first page': () => listPresales(db, { limit: 100 }),
  'presales, a later page': () => listPresales(db, { limit: 100, beforeOrdinal: 10_000n }),
  'presale participation': () => requireParticipation(db, presaleOf(2), 'wallet42'),
  'presales due': () => findDuePresales(db, new Date(), 100),
  'presale transition': () => advancePresales({ ...presaleContext(db, systemClock).context, db }, 100),
  'presale movements': () =>
    undone(db, (transaction) =>
      recordMovements(transaction, systemClock, [
        movementOf(presaleOf(2), 'deposit', 'wallet42', 1n, new Date()),
        movementOf(presaleOf(2), 'deposit', 'nobody', 1n, new Date()),
      ]),
    ),
  'prediction rounds, first page': () => listRounds(db, someMint, { limit: 100 }),
  'prediction rounds, a later page': () => listRounds(db, someMint, { limit: 100, beforeOrdinal: 3_000n }),
  'prediction round': () => findRound(db, someMint, presaleOf(3)),
  'predictions of a round': () =>
    listEntries(db, someMint, presaleOf(1), { limit: 100, afterId: presaleOf(2_000) }),
  standings: () => listStandings(db, someMint, presaleOf(1)),
  'owned prediction': () => findPrediction(db, presaleOf(42), ACCOUNT),
  'rounds due': () => findDueRounds(db, new Date(), 100),
  'rounds to settle': () => findSettlingRounds(db, 100),
  'round transition': () =>
    undone(db, (transaction) => {
      const move = { roundId: presaleOf(2), from: 'scheduled', to: 'open', at: new Date() } as const;
      return moveRound(transaction, roundContext(db, systemClock).outbox, move);
    }),
  'settlement price': () => findSettlementPrice(db, someMint, new Date()),
  'prediction submission': () =>
    undone(db, async (transaction) => {
      await findRoundMint(transaction, presaleOf(3));
      await holdOpenRound(transaction, presaleOf(3), new Date());
      await readSubmissionFacts(transaction, presaleOf(3), 'wallet42', ACCOUNT);
      const prediction = { roundId: presaleOf(3), accountId: ACCOUNT, walletAddress: 'w', username: 'u' };
      const facts = { predictedPriceInSol: '1', evaluationSlot: 1n, balanceRaw: 1n, submittedAt: new Date() };
      await insertPrediction(transaction, { ...prediction, ...facts });
    }),
  'staking positions': () =>
    db.begin((transaction) =>
      storeStakingPositions(transaction, [
        positionMessage(someMint, 'wallet42', 1),
        positionMessage(someMint, 'nobody', 1),
      ]),
    ),
  'fee claims': () =>
    db.begin((transaction) => storeFeeClaimables(transaction, [claimableMessage(someMint, 'wallet42', 9)])),
  'fee payments': () =>
    undone(db, (transaction) =>
      storeFeeDistributions(transaction, presaleContext(db, systemClock).context.outbox, toDistribution, [
        distributionMessage(someMint, 1),
      ]),
    ),
  'trade ingest': () =>
    db.begin((transaction) =>
      storeTrades(transaction, [numberedTrade(someMint, 1), numberedTrade(someMint, 1)]),
    ),
  'trade reversal': () =>
    db.begin((transaction) =>
      storeReversals(transaction, [{ tradeId: numberedTrade(someMint, 1).id, slot: null }], new Date()),
    ),
};

/** Run by worker or relay, whose connections plan for the parameters where that is better. */
const background: ReadonlySet<string> = new Set([
  'operations due',
  'operation results, expired',
  'deliveries to replay',
  'outbox, unpublished',
  'event bodies',
  'fan-out',
  'attempt results',
  'leases that ended',
  'deliveries to delete',
  'broadcasts due',
  'deliveries due',
  'next delivery due',
  'presales due',
  'presale transition',
  'presale movements',
  'rounds due',
  'rounds to settle',
  'round transition',
  'settlement price',
  'staking positions',
  'fee claims',
  'fee payments',
  'trade ingest',
  'trade reversal',
]);

test.each(Object.keys(hot))('%s reads by index, and no more rows than it needs', async (name) => {
  sent.length = 0;
  await hot[name]?.();
  const statements = sent.filter(({ text }) => /^\s*(select|with|insert|update|delete)\b/i.test(text));
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    for (const measure of background.has(name) ? [effortOf] : [effortOf, genericEffortOf]) {
      const { scanned, rowsMax } = await measure(db, statement);
      const wholeTables = scanned.filter((table) => big.has(table));
      const isCheap = wholeTables.length === 0 && rowsMax <= ROWS_MAX;
      const what = { plan: measure.name, wholeTables, rowsMax, statement: statement.text };
      expect({ isCheap, ...what }).toMatchObject({ isCheap: true });
    }
  }
});

test('a statement that no index serves is noticed', async () => {
  sent.length = 0;
  await db`select count(*) from trades where trader_wallet = 'nobody'`;
  const [statement] = sent;
  if (statement === undefined) throw new Error('nothing was sent');
  const { scanned, rowsMax } = await effortOf(db, statement);
  const filled = [0, 10, 20, 30, 40].map((millions) => `trades_${millions}m`);
  expect(scanned).toEqual(expect.arrayContaining(filled));
  expect([...big]).toEqual(expect.arrayContaining(filled));
  expect(rowsMax).toBeGreaterThan(ROWS_MAX);
});
