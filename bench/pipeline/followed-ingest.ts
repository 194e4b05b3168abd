import type { Database } from '../../src/db/client.ts';
import { FollowedSubjects } from '../../src/indexer/followed/followed-subjects.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { type BenchCase, ratio, sized } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { alternate } from '../measurement/rounds.ts';
import { createBenchTokens } from './create-bench-tokens.ts';
import { storeEndpoints } from './store-endpoints.ts';
import { BENCH_TOKENS, benchMint, benchTrade } from './trade-messages.ts';

const BATCH = 2_000;
const BATCHES = { full: 5, quick: 2, shortest: 1 };
/** Each with 1,000 subjects. */
const ENDPOINTS = { full: 500, quick: 50, shortest: 2 };
const SUBJECTS = 1_000;
const NOT_LOOKING = 'without a look at followers (limit)';
const NONE = 'no trade is followed';
const ALL = 'every trade is followed twice';
const MATCH = 'the look alone';

/**
 * Trades per second into the store, while endpoints follow a million other wallets and tokens, and while every trade is
 * queued for two events. The limit is the store that does not look.
 */
export const followedIngest: BenchCase = async (options) => {
  const { rounds } = options;
  const endpoints = sized(options, ENDPOINTS);
  const environment = await createBenchEnvironment();
  try {
    const { database } = environment;
    await createBenchTokens(database);
    await followOthers(database, endpoints);
    const idle = new FollowedSubjects();
    let next = 0;
    const batches = () =>
      Array.from({ length: sized(options, BATCHES) }, () => {
        next += BATCH;
        return readBatch(next - BATCH);
      });
    // The first batch reads what is followed.
    await store(database, batches().slice(0, 1), idle);
    if (idle.size !== 2 * endpoints * SUBJECTS) throw new Error(`${idle.size} subjects are followed`);
    const busy = everythingFollowed(idle.stamp);
    const variant = (name: string, followed?: FollowedSubjects) => ({
      name,
      run: () => store(database, batches(), followed),
    });
    const figures = await alternate(
      [variant(NOT_LOOKING), variant(NONE, idle), variant(ALL, busy), { name: MATCH, run: () => look(idle) }],
      rounds,
    );
    const [{ queued } = { queued: 0 }] = await database<{ queued: number }[]>`
      select count(*)::int as queued from followed_trades`;
    if (queued !== rounds * sized(options, BATCHES) * BATCH) throw new Error(`${queued} trades are queued`);
    const of = (name: string) => ratio(figures, name, NOT_LOOKING, 'tradesPerSecond');
    return {
      name: `followed trades into the store, ${(2 * endpoints * SUBJECTS).toLocaleString('en')} subjects followed`,
      figures,
      ratios: {
        'no trade followed / without a look': of(NONE),
        'every trade followed / without a look': of(ALL),
      },
    };
  } finally {
    await environment.close();
  }
};

async function followOthers(database: Database, count: number): Promise<void> {
  const eventTypes = [eventType('wallet.traded'), eventType('token.traded')];
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  const endpoints = Array.from({ length: count }, () => ({ url: 'https://bench.example/', eventTypes }));
  await storeEndpoints(database, secretKey, endpoints);
  await database`
    insert into endpoint_subjects (endpoint_id, subject, position)
    select e.id, e.number || '-' || at, at - 1
    from (select id, row_number() over () as number from webhook_endpoints) e, generate_series(1, ${SUBJECTS}::int) as at`;
}

function everythingFollowed(stamp: string | null): FollowedSubjects {
  const followed = new FollowedSubjects();
  const subjects = [
    ...Array.from({ length: BENCH_TOKENS }, (_, at) => benchMint(at)),
    ...Array.from({ length: 997 }, (_, at) => benchMint(1_000_000 + at)),
  ];
  followed.set('everything', { version: '', subjects, wallets: true, tokens: true });
  followed.stamp = stamp;
  return followed;
}

async function store(
  database: Database,
  batches: readonly IndexedTrade[][],
  followed?: FollowedSubjects,
): Promise<{ tradesPerSecond: number }> {
  const startedAt = performance.now();
  for (const trades of batches)
    await database.begin((transaction) => storeTrades(transaction, trades, followed));
  return { tradesPerSecond: (batches.length * BATCH * 1000) / (performance.now() - startedAt) };
}

async function look(followed: FollowedSubjects): Promise<{ tradesPerSecond: number }> {
  const trades = readBatch(0);
  const startedAt = performance.now();
  for (const trade of trades) if (followed.match(trade) !== null) throw new Error('a trade was matched');
  return { tradesPerSecond: (trades.length * 1000) / (performance.now() - startedAt) };
}

function readBatch(first: number): IndexedTrade[] {
  return Array.from({ length: BATCH }, (_, at) => benchTrade(first + at));
}
