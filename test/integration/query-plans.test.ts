import { beforeAll, expect, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import { claimDue, nextDueMs } from '../../relay/claim.ts';
import type { Allotment } from '../../relay/slots.ts';
import type { Database } from '../../src/db/client.ts';
import { createKeyStore } from '../../src/features/identity/key-store.ts';
import { judgeWindow } from '../../src/features/market/candle-window.ts';
import { listCandles } from '../../src/features/market/candles.ts';
import { findHolderStats } from '../../src/features/market/holder-stats.ts';
import { findMarketSnapshot } from '../../src/features/market/snapshot.ts';
import { listTrades } from '../../src/features/market/trades.ts';
import { findToken, listTokens } from '../../src/features/tokens/store.ts';
import { claimBroadcasts } from '../../src/features/transaction-intents/broadcast-store.ts';
import { findIntent } from '../../src/features/transaction-intents/submission-store.ts';
import { listDeliveries } from '../../src/features/webhooks/delivery-store.ts';
import { storeReversals } from '../../src/indexer/store-reversals.ts';
import { storeTrades } from '../../src/indexer/store-trades.ts';
import { publishBatch } from '../../src/outbox/publish.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { atEnd } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { numberedTrade } from '../support/market-arbitraries.ts';
import { bigTables, effortOf, recordingDatabase, type SentStatement } from '../support/query-plans.ts';
import { sharedNatsUrl } from '../support/services.ts';

const TOKENS = 20_000;
const TRADES = 40_000;
const DELIVERIES = 20_000;
/** A page of 101, a window of 1,000 and a batch of endpoints are fine; a table is not. */
const ROWS_MAX = 1_500;
const ENDPOINT = '00000000-0000-7000-8000-00000000000e';
const ACCOUNT = '00000000-0000-7000-8000-00000000000a';
const mintOf = (number: number) => `Mint${'1'.repeat(32)}${String(number).padStart(8, 'z')}`;

let db: Database;
let sent: SentStatement[];
/** A broker without streams: it refuses what is published. */
let connection: NatsConnection;
let big: ReadonlySet<string>;

beforeAll(async () => {
  ({ db, sent } = recordingDatabase((await createTestDatabase()).url));
  connection = await connectBus(await sharedNatsUrl(), 'test');
  atEnd(() => connection.close());
  await fillMarket();
  await fillAccounts();
  await db`analyze`;
  big = await bigTables(db, 1_000);
});

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
      'buy', 'w', 1, 1, 1, t, 0, 0, 0, '2026-01-01Z'::timestamptz + t * interval '10 seconds', 'signature' || t
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
    insert into intent_broadcasts (intent_id, next_send_at, created_at)
    select id, now() + interval '1 hour', now() from transaction_intents`;
  await db`
    insert into events (id, type, subject, body, created_at, published_at)
    select lpad(to_hex(n), 32, '0')::uuid, 't', 's', '{}', now(), case when n <= ${DELIVERIES - 5}::int then now() end
    from generate_series(1, ${DELIVERIES}::int) n`;
  await db`
    insert into webhook_endpoints (id, account_id, url, event_types, status, sealed_secret, secret_rotated_at, version,
      created_at, updated_at)
    select case n when 1 then ${ENDPOINT}::uuid else gen_random_uuid() end, ${ACCOUNT}, 'https://x.test', '{*}',
      'enabled', '', now(), 1, now(), now()
    from generate_series(1, 200) n`;
  await db`
    insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
    select gen_random_uuid(), ${ENDPOINT}, id, 't', case when due then 'pending' else 'succeeded' end,
      case when due then now() end, now(), now()
    from (select id, right(id::text, 3) = '000' as due from events) e`;
}

const someMint = mintOf(2);
const window = judgeWindow('1m', '2026-01-02T00:00:00Z', '2026-01-02T16:40:00Z');
const position = ['30000', '0', '0', '0', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;
const allotment = { full: new Set<string>(), room: (_id: string, wanted: number) => wanted };

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
  'outbox, unpublished': () => publishBatch(db, connection, systemClock, 100),
  'broadcasts due': () => claimBroadcasts(db, new Date(), 100),
  'deliveries due': () =>
    claimDue(db, null, {
      perEndpoint: 8,
      batch: 100,
      leaseMs: 1_000,
      allotment: allotment as unknown as Allotment,
    }),
  'next delivery due': () => nextDueMs(db),
  'trade ingest': () =>
    db.begin((transaction) =>
      storeTrades(transaction, [numberedTrade(someMint, 1), numberedTrade(someMint, 1)]),
    ),
  'trade reversal': () =>
    db.begin((transaction) =>
      storeReversals(transaction, [{ tradeId: numberedTrade(someMint, 1).id, slot: null }], new Date()),
    ),
};

test.each(Object.keys(hot))('%s reads by index, and no more rows than it needs', async (name) => {
  sent.length = 0;
  await hot[name]?.();
  const statements = sent.filter(({ text }) => /^\s*(select|with|insert|update|delete)\b/i.test(text));
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    const { scanned, rowsMax } = await effortOf(db, statement);
    const wholeTables = scanned.filter((table) => big.has(table));
    const isCheap = wholeTables.length === 0 && rowsMax <= ROWS_MAX;
    expect({ isCheap, wholeTables, rowsMax, statement: statement.text }).toMatchObject({ isCheap: true });
  }
});

test('a statement that no index serves is noticed', async () => {
  sent.length = 0;
  await db`select count(*) from trades where trader_wallet = 'nobody'`;
  const [statement] = sent;
  if (statement === undefined) throw new Error('nothing was sent');
  const { scanned, rowsMax } = await effortOf(db, statement);
  expect(scanned).toEqual(['trades']);
  expect(big).toContain('trades');
  expect(rowsMax).toBeGreaterThan(ROWS_MAX);
});
