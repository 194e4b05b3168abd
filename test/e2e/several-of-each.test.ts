import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { jetstreamManager } from '@nats-io/jetstream';
import { Connection, PublicKey } from '@solana/web3.js';
import { Glob } from 'bun';
import { readCurveAccrued } from '../../src/chain/accounts/accrued-fees.ts';
import { readDefaultPartitionRows } from '../../src/db/partitions.ts';
import { consumers, INGEST_REJECTED_STREAM } from '../../src/shared/bus/topology.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { expectedTrades, storedTrades } from '../support/market/chain-indexer.ts';
import { expectedTradeCount, type LoadDone, TRANSFER_LAMPORTS } from '../support/mixed-load/mixed-load.ts';
import {
  allHaveStatus,
  count,
  deliveryOutcomes,
  eventsAbout,
  isDrained,
  missingDeliveries,
  openDeliveries,
  streamedEventIds,
} from '../support/mixed-load/settled-work.ts';
import {
  EXPORTED_HOLDERS,
  EXPORTED_SUPPLY_RAW,
  MORE_RECORDED_TRADES,
  runSeveralOfEach,
  type SeveralOfEach,
} from '../support/mixed-load/several-of-each.ts';
import { readPoolFixture } from '../support/pools/pool-accounts.ts';
import { eventually } from '../support/run/eventually.ts';
import type { RelayWorld } from '../support/webhooks/webhook-relay.ts';

let stage: SeveralOfEach;
let db: RelayWorld['sql'];
let connection: RelayWorld['connection'];
let done: LoadDone;

beforeAll(async () => {
  stage = await runSeveralOfEach();
  ({ sql: db, connection } = stage.world);
  done = stage.load.done;
});

/** A task that loops have to finish. */
interface Job {
  /** The names of jobs of the worker, or of loops in relay/relay.ts. */
  loops: readonly string[];
  guarantee: string;
  isSettled(): Promise<boolean>;
  check(): Promise<void>;
}

async function expectEvents(subjects: readonly string[], names: readonly string[]): Promise<void> {
  expect(subjects.length).toBeGreaterThan(0);
  for (const subject of subjects) expect(await eventsAbout(db, subject)).toEqual([...names]);
}

const tradesOf = (mints: readonly string[]) =>
  count(db`select count(*)::int as count from trades where mint_address = any(${[...mints]})`);

/** Tokens whose last trade, market cap or volume of a day is not that of their trades and their market. */
const misranked = () =>
  count(db`
    select count(*)::int as count
    from tokens t join token_markets m using (mint_address) left join token_rankings r using (mint_address)
    cross join lateral (
      select count(*) as trades, coalesce(sum(sol_amount), 0) as volume from trades d
      where d.mint_address = t.mint_address and d.block_time >= now() - interval '23 hours') day
    where t.listed and (r.mint_address is null
      or (r.last_trade_at = '-infinity') <> (not exists (select from trades d where d.mint_address = t.mint_address))
      or nullif(r.market_cap_in_sol, '-Infinity') is distinct from nullif(trunc(m.price_in_sol, 18), 0) * t.total_supply
      or r.volume_in_sol_24h < day.volume)`);

/** Pairs of a wallet and a token whose counts are not those of their trades. */
const miscountedTraders = () =>
  count(db`
    select count(*)::int as count
    from (select mint_address, trader_wallet, count(*) filter (where type = 'buy') as buys,
        count(*) filter (where type = 'sell') as sells from trades group by mint_address, trader_wallet) expected
    full join token_traders r using (mint_address, trader_wallet)
    where (r.buy_count, r.sell_count) is distinct from (expected.buys::int, expected.sells::int)`);

const overviewTokens = () =>
  count(db`select coalesce(max((body #>> '{tokens,total}')::int), -1) as count from market_overview`);
const visibleTokens = () => count(db`select count(*)::int as count from tokens where not hidden`);

const longMint = () => stage.longPool.pool.mintAddress;
const unrecordedTrades = () => count(db`select count(*)::int as count from followed_trades`);
const tradeEvents = () =>
  db<{ tradeId: string }[]>`
    select body::jsonb #>> '{data,id}' as trade_id from events
    where type = ${eventType('token.traded')} and subject = ${longMint()}`;

const lastTradesOf = () => {
  const trades = expectedTrades(stage.longPool);
  return trades.filter(({ signature }) => signature === trades.at(-1)?.signature).length;
};

const jobs: readonly Job[] = [
  {
    loops: ['ingest'],
    guarantee: 'every fact that was told twice counts once, and none is refused',
    isSettled: async () =>
      (await tradesOf(done.tokens)) >= expectedTradeCount(done) &&
      (await isDrained(connection, consumers.ingest)),
    async check() {
      expect(await tradesOf(done.tokens)).toBe(expectedTradeCount(done));
      await expectEvents(done.tokens, ['launch.created']);
      const { streams } = await jetstreamManager(connection);
      expect((await streams.info(INGEST_REJECTED_STREAM)).state.messages).toBe(0);
    },
  },
  {
    loops: ['token-rankings'],
    guarantee:
      'what lists are sorted by is what the trades say, whichever worker was killed while it followed them',
    isSettled: async () => (await misranked()) === 0,
    async check() {
      expect(await misranked()).toBe(0);
    },
  },
  {
    loops: ['traders'],
    guarantee: 'what a wallet has bought and sold is what its trades say',
    isSettled: async () => (await miscountedTraders()) === 0,
    async check() {
      expect(await miscountedTraders()).toBe(0);
    },
  },
  {
    loops: ['market-overview'],
    guarantee: 'the totals of the platform are those of its tokens',
    isSettled: async () => (await overviewTokens()) === (await visibleTokens()),
    async check() {
      expect(await visibleTokens()).toBeGreaterThan(0);
    },
  },
  {
    loops: ['trade-events'],
    guarantee: 'each trade of a followed token is one event',
    isSettled: async () =>
      (await unrecordedTrades()) === 0 && (await tradeEvents()).length === (await tradesOf([longMint()])),
    async check() {
      const trades = (await tradeEvents()).map(({ tradeId }) => tradeId);
      expect(new Set(trades).size).toBe(trades.length);
      expect(trades.length).toBeGreaterThan(MORE_RECORDED_TRADES);
    },
  },
  {
    loops: ['chain-indexer'],
    guarantee:
      'another worker reads on where the killed one stopped: every trade of the chain once, a launch graduates once',
    isSettled: async () =>
      (await storedTrades(db, stage.longPool)).length >=
        expectedTrades(stage.longPool).length + MORE_RECORDED_TRADES * lastTradesOf() &&
      (await eventsAbout(db, stage.migratedPool.pool.mintAddress)).length >= 3,
    async check() {
      const long = await storedTrades(db, stage.longPool);
      const expected = expectedTrades(stage.longPool);
      expect(long.slice(0, expected.length)).toEqual(expected);
      expect(long.length).toBe(expected.length + MORE_RECORDED_TRADES * lastTradesOf());
      expect(await storedTrades(db, stage.migratedPool)).toEqual(expectedTrades(stage.migratedPool));
      // Each event occurs once. Their order depends on when the other worker was killed.
      const launch = await eventsAbout(db, stage.migratedPool.pool.mintAddress);
      expect(launch.toSorted()).toEqual(['launch.created', 'launch.graduated', 'token.curve_completed']);
    },
  },
  {
    loops: ['intent-broadcaster', 'intent-confirmer', 'intent-watcher', 'intent-landings'],
    guarantee:
      'what two apis were asked at once is accepted once, lands once, and is reported once, also when it is final',
    isSettled: async () =>
      (await count(db`
        select count(*)::int as count from intent_landings
        where intent_id = any(${idsOf(done.intents)}::uuid[]) and finality = 'finalized'`)) ===
      done.intents.length,
    async check() {
      expect(done.answers.filter((status) => status === 202).length).toBeGreaterThanOrEqual(
        done.intents.length,
      );
      expect(done.answers.filter((status) => status !== 202 && status !== 409)).toEqual([]);
      for (const id of idsOf(done.intents)) {
        const events = (await eventsAbout(db, id)).filter((name) => name.startsWith('transaction_intent.'));
        expect(events).toEqual([
          'transaction_intent.prepared',
          'transaction_intent.submitted',
          'transaction_intent.confirmed',
          'transaction_intent.finalized',
        ]);
      }
      expect(await count(db`select count(*)::int as count from intent_broadcasts`)).toBe(0);
      const chain = new Connection(stage.chainUrl, 'confirmed');
      const addresses = done.intents.map(({ to }) => new PublicKey(to));
      const accounts = await chain.getMultipleAccountsInfo(addresses);
      expect(accounts.map((account) => account?.lamports)).toEqual(addresses.map(() => TRANSFER_LAMPORTS));
    },
  },
  {
    loops: ['fee-claims'],
    guarantee: 'every landed claim of fees is announced once, and its distributions can name it',
    isSettled: async () =>
      (await count(db`
        select count(*)::int as count from fee_claim_intents
        where intent_id = any(${idsOf(done.intents)}::uuid[]) and settled_at is not null`)) ===
      done.intents.length,
    async check() {
      for (const id of idsOf(done.intents)) {
        const events = (await eventsAbout(db, id)).filter((name) => name === 'fees.claimed');
        expect(events).toEqual(['fees.claimed']);
      }
      expect(
        await count(db`
          select count(*)::int as count from fee_claim_intents c join transaction_intents i on i.id = c.intent_id
          where c.transaction_signature is distinct from i.transaction_signature`),
      ).toBe(0);
    },
  },
  {
    loops: ['intent-expirer', 'lost-submissions'],
    guarantee: 'every intent that nobody signed expires once',
    isSettled: () => allHaveStatus(db, 'transaction_intents', done.expiring, 'expired'),
    check: () => expectEvents(done.expiring, ['transaction_intent.expired']),
  },
  {
    loops: ['launches'],
    guarantee: 'every launch that nobody signed expires, without an event of its token',
    isSettled: () => allHaveStatus(db, 'launches', done.launches, 'expired'),
    async check() {
      const mints = await db<{ mintAddress: string }[]>`
        select mint_address from launches where id = any(${done.launches}::uuid[])`;
      expect(mints.length).toBeGreaterThan(0);
      for (const { mintAddress } of mints) expect(await eventsAbout(db, mintAddress)).toEqual([]);
    },
  },
  {
    loops: ['order-slots'],
    guarantee: 'every order slot that nobody signed expires',
    isSettled: () => allHaveStatus(db, 'order_slots', done.slots, 'expired'),
    async check() {
      expect(done.slots.length).toBeGreaterThan(0);
    },
  },
  {
    loops: ['order-ends'],
    guarantee: 'every order whose time is over expires once, and loses its signed bytes',
    isSettled: () => allHaveStatus(db, 'orders', done.orders, 'expired'),
    async check() {
      await expectEvents(done.orders, ['order.expired']);
      const kept = await db`
        select from order_transactions where order_id = any(${done.orders}::uuid[]) and sealed_transaction is not null`;
      expect(kept.count).toBe(0);
    },
  },
  {
    loops: ['presales'],
    guarantee: 'every presale opens once and settles or fails once, with every deposit counted once',
    isSettled: async () =>
      (await allHaveStatus(db, 'presales', done.presales.settling, 'settled')) &&
      (await allHaveStatus(db, 'presales', done.presales.failing, 'failed')),
    async check() {
      await expectEvents(done.presales.settling, ['presale.opened', 'presale.settled']);
      await expectEvents(done.presales.failing, ['presale.opened', 'presale.failed']);
      const wrong = await db`
        select from presales where id = any(${done.presales.settling}::uuid[])
          and (total_deposited_lamports <> 100 or participant_count <> 2)`;
      expect(wrong.count).toBe(0);
    },
  },
  {
    loops: ['prediction-rounds', 'prediction-settlement'],
    guarantee: 'every round opens, locks and settles once, and ranks each prediction',
    isSettled: () => allHaveStatus(db, 'prediction_rounds', done.rounds, 'settled'),
    async check() {
      const names = ['opened', 'locked', 'settled'].map((step) => `prediction_round.${step}`);
      await expectEvents(done.rounds, names);
      const ranks = await db<{ roundId: string; ranks: number[] }[]>`
        select round_id, array_agg(rank order by rank) as ranks from predictions
        where round_id = any(${done.rounds}::uuid[]) and status = 'settled' group by round_id`;
      expect(ranks.map((round) => round.ranks)).toEqual(done.rounds.map(() => [1, 2]));
    },
  },
  {
    loops: ['operation-runner'],
    guarantee: 'the export that a killed worker held is finished by another, whole, and told once',
    isSettled: () => allHaveStatus(db, 'operations', done.operations, 'succeeded'),
    async check() {
      expect(done.operations).toContain(stage.heldExport);
      await expectEvents(done.operations, ['operation.succeeded']);
      const rows = await db<{ progressCompleted: bigint; lines: number }[]>`
        select progress_completed, (
          select sum(array_length(regexp_split_to_array(convert_from(content, 'UTF8'), '\r\n'), 1) - 1)::int
          from operation_result_chunks as chunk where chunk.operation_id = operation.id) as lines
        from operations as operation where id = any(${done.operations}::uuid[])`;
      for (const { progressCompleted, lines } of rows) {
        expect(Number(progressCompleted)).toBe(EXPORTED_HOLDERS);
        expect(lines).toBe(EXPORTED_HOLDERS + 1);
      }
    },
  },
  {
    loops: ['retention'],
    guarantee: 'every response that is over is deleted, and no other',
    isSettled: async () =>
      (await count(db`select count(*)::int as count from idempotency_records where expires_at <= now()`)) ===
      0,
    async check() {
      const kept = await db`select key from idempotency_records where key like 'seeded-%'`;
      expect([...kept]).toEqual([{ key: 'seeded-0' }]);
    },
  },
  {
    loops: ['mint-facts'],
    guarantee: 'a token that came after the kill has the supply of its mint, not that of its feed',
    isSettled: async () =>
      (await count(db`
        select count(*)::int as count from tokens
        where mint_address = ${stage.exportedMint} and mint_slot is not null`)) === 1,
    async check() {
      const tokens = await db`
        select decimals, total_supply from tokens where mint_address = ${stage.exportedMint}`;
      expect([...tokens]).toEqual([{ decimals: 0, totalSupply: EXPORTED_SUPPLY_RAW.toString() }]);
    },
  },
  {
    loops: ['holder-counts'],
    guarantee: 'the holders of a token that came after the kill are counted, all of one slot',
    isSettled: async () =>
      (await count(db`
        select count(*)::int as count from holder_stats where mint_address = ${stage.exportedMint}`)) === 1,
    async check() {
      const stats = await db`
        select holder_count, provenance, slot from holder_stats where mint_address = ${stage.exportedMint}`;
      expect([...stats]).toEqual([
        { holderCount: EXPORTED_HOLDERS, provenance: 'onchain_snapshot', slot: 99n },
      ]);
    },
  },
  {
    loops: ['fee-states'],
    guarantee: 'the fees of every pool are read by the worker that is left, as the pools tell them',
    isSettled: async () =>
      (await count(db`select count(*)::int as count from fee_states where source = 'chain'`)) === 2,
    async check() {
      for (const letter of ['h', 'j']) {
        const { known, accounts } = readPoolFixture(letter);
        const account = (address: string) => accounts.get(address) ?? null;
        const fees = readCurveAccrued(account(known.pool), account(known.config));
        const [state] = await db`
          select trim_scale(accrued_lamports)::text as accrued from fee_states
          where mint_address = ${known.baseMint} and source = 'chain'`;
        expect(state?.accrued).toBe(String(fees?.accruedRaw));
      }
    },
  },
  {
    loops: ['partitions'],
    guarantee: 'what is expired is dropped with its weeks, and every row has its partition',
    isSettled: async () =>
      (await count(db`
        select (select count(*) from events where subject = 'expired')::int
          + (select count(*) from webhook_attempts where started_at < now() - interval '40 days')::int as count`)) ===
        0 && [...(await readDefaultPartitionRows(db)).values()].every((rows) => rows === 0),
    async check() {
      const made = await db`
        select from pg_inherits where inhparent = 'events'::regclass and inhrelid::regclass::text ~ '_[0-9]{8}$'`;
      // One more when a Monday has come since the database was made.
      expect(made.count).toBeOneOf([4, 5]);
    },
  },
  {
    loops: ['outbox-publisher'],
    guarantee: 'every event is in the stream once',
    isSettled: async () => (await count(db`select count(*)::int as count from events_to_publish`)) === 0,
    async check() {
      const seeded = [...stage.unannounced, ...stage.undelivered];
      const rows = await db<{ id: string }[]>`select id from events where id <> all(${seeded}::uuid[])`;
      expect((await streamedEventIds(connection)).toSorted()).toEqual(idsOf(rows).toSorted());
    },
  },
  {
    loops: [
      'consumeLoops',
      'fastPathLoops',
      'firstAttemptLoop',
      'claimLoop',
      'claimWindowLoop',
      'reconcileEventsLoop',
      'reconcileDeliveriesLoop',
    ],
    guarantee:
      'every event has one delivery per endpoint that may see it, also those that had to be looked for',
    isSettled: async () =>
      (await openDeliveries(db)) === 0 &&
      (await count(db`select count(*)::int as count from events_to_fan_out`)) === 0 &&
      (await missingDeliveries(db)) === 0 &&
      (await isDrained(connection, consumers.relayPublic)) &&
      (await isDrained(connection, consumers.relayAccount)),
    check: expectDelivered,
  },
  {
    loops: ['sweepLoop', 'failingEndpointsLoop'],
    guarantee:
      'the delivery that a killed relay held is made by another; an endpoint that is gone is told once',
    isSettled: async () => (await openDeliveries(db)) === 0,
    async check() {
      const { gone } = stage.endpoints;
      const [endpoint] = await db`
        select status, disabled_reason from webhook_endpoints where id = ${gone.id}`;
      expect(endpoint).toEqual({ status: 'disabled', disabledReason: 'gone' });
      await expectEvents([gone.id], ['webhook_endpoint.disabled']);
      const lost = await count(
        db`select count(*)::int as count from webhook_attempts where error_code = 'outcome_unknown'`,
      );
      expect(lost).toBeGreaterThan(0);
    },
  },
];

/**
 * Loops without shared work: a cache of the chain's head, wake-up calls, a log line, streams that any worker
 * makes again (`bus-cluster.test.ts`).
 */
const unshared = [
  'backlogLoop',
  'chain-head',
  'due-work',
  'order-sends',
  'deliveryHintLoop',
  'endpointCacheLoop',
  'statusLoop',
  'stream-upkeep',
  'worker-keys',
];

describe('two of each, one worker and one relay killed in the middle', () => {
  test.each(jobs.map((job) => [job.loops.join(', '), job.guarantee, job] as const))(
    '%s: %s',
    async (_loops, guarantee, job) => {
      await eventually(guarantee, () => job.isSettled());
      await job.check();
    },
  );

  test('the remaining processes end when asked to, without open work', async () => {
    const { worker, relay } = stage.survivors;
    expect(await Promise.all([worker.stop(), relay.stop()])).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
  });

  test('no loop of worker and relay is left out', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const ofWorker = [...new Glob('src/**/*.ts').scanSync()]
      .map(read)
      .filter((source) => source.includes('/job.ts'))
      .flatMap((source) => [...source.matchAll(/\bname: '([a-z-]+)'/g)]);
    const [, loopsOfRelay = ''] = read('relay/relay.ts').split('function startLoops(');
    const ofRelay = loopsOfRelay.matchAll(/^ {4}(?:\.{3})?(\w+Loops?)\(/gm);
    const names = [...ofWorker, ...ofRelay].map(([, name]) => name ?? '');
    expect(names.toSorted()).toEqual([...jobs.flatMap(({ loops }) => loops), ...unshared].toSorted());
  });
});

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/**
 * Each delivery succeeded once, perhaps after failed attempts. The subscriber saw at most one attempt more,
 * which the killed relay did not record.
 */
async function expectDelivered(): Promise<void> {
  const outcomes = await deliveryOutcomes(db, stage.receiver);
  const reachable = outcomes.filter(({ name }) => !name.startsWith('/gone '));
  expect(reachable.length).toBeGreaterThan(100);
  const wrong = reachable.filter(
    ({ status, attempts, successes, requests }) =>
      status !== 'succeeded' || successes !== 1 || requests < 1 || requests > attempts + 1,
  );
  expect(wrong).toEqual([]);
  const seen = outcomes.reduce((sum, { requests }) => sum + requests, 0);
  expect(seen).toBe(stage.receiver.requests.length);
  const extra = [...stage.unannounced, ...stage.undelivered].map((id) => `/main ${id}`);
  expect(reachable.map(({ name }) => name)).toEqual(expect.arrayContaining(extra));
}
