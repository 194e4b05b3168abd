import type { Database } from '../../src/db/client.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { isRankingDue } from '../../src/features/tokens/follow-rankings.ts';
import { listIntents } from '../../src/features/transaction-intents/list-intents.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import type { BenchCase } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { createBenchTokens } from '../pipeline/create-bench-tokens.ts';
import { BENCH_TOKENS, benchMint, benchTrade } from '../pipeline/trade-messages.ts';
import { accountOf, INTENT_TABLES, storeIntentRows } from '../scale/intent-rows.ts';
import { type CountedDatabase, connectCounted, countWork, pagesOfRead } from './counted-database.ts';

/** Short runs have the same data, because the counts depend on nothing else. */
const TRADES = 1_000;
/**
 * One in 21 pairs of token and wallet trades again, so that few rows of a page change at once. The pair has only bought
 * before.
 */
const AGAIN_EVERY = 21;
const FIRST_AGAIN = 2;
/** Number of trades after which `tradeMessage` repeats the pairs of wallet and token. */
const REPEAT = BENCH_TOKENS * 997;
const INTENTS = 5_000;
const LOG_ENTRIES = 20_000;
const PAGE = 20;

/**
 * Work of Postgres and driver, counted: what one stored trade, one page of a list and one look for work take, in
 * statements, look-ups, pages and index entries. Nothing is timed, so a busy machine changes no figure, and CI holds the
 * budgets (`test/e2e/bench-cases.test.ts`).
 */
export const countedWork: BenchCase = async () => {
  const environment = await createBenchEnvironment();
  const counted = connectCounted(environment.databaseUrl);
  try {
    const { db } = counted;
    await createBenchTokens(db);
    const figures = {
      ...(await countTrades(counted)),
      ...(await countLists(counted)),
      pagesOfLookForRankings: await countRankings(counted),
    };
    return {
      name: 'counted work of Postgres and driver',
      figures: [{ name: 'ours', median: figures, rounds: [figures] }],
      ratios: {
        'statements of a batch of 1,000 trades': figures.statementsPerBatch,
        'look-ups of tokens per stored trade': figures.tokenLookUpsPerTrade,
        'texts that the driver escapes per stored trade': figures.escapedPerTrade,
        'rows of traders that renew index entries, share': figures.reindexedTraders,
        'look-ups of trades for a page of trades': figures.lookUpsOfTradePage,
        'pages of a list of intents with empty statuses': figures.pagesOfIntentList,
        'pages of a look for due rankings': figures.pagesOfLookForRankings,
      },
    };
  } finally {
    await counted.db.end({ timeout: 1 });
    await environment.close();
  }
};

async function countTrades(counted: CountedDatabase) {
  const first = Array.from({ length: TRADES }, (_, number) => benchTrade(number));
  const repeated = first.flatMap((_, number) =>
    number % AGAIN_EVERY === FIRST_AGAIN ? [benchTrade(REPEAT + number)] : [],
  );
  let escaped = 0;
  const newTrades = await countWork(counted, async (transaction) => {
    escaped = await countReplacements(() => storeTrades(transaction, first));
  });
  await counted.db.begin((transaction) => storeTrades(transaction, first));
  const knownPairs = await countWork(counted, (transaction) => storeTrades(transaction, repeated));
  const changed = knownPairs.changed('token_traders');
  if (changed !== repeated.length)
    throw new Error(`${changed} rows of traders changed, not ${repeated.length}`);
  return {
    statementsPerBatch: newTrades.statements,
    tokenLookUpsPerTrade: newTrades.lookUps('tokens') / first.length,
    escapedPerTrade: escaped / first.length,
    reindexedTraders: knownPairs.reindexed('token_traders') / changed,
  };
}

async function countLists(counted: CountedDatabase) {
  const { db } = counted;
  await storeIntentRows(db, INTENTS);
  await db.unsafe(`vacuum analyze ${[...INTENT_TABLES, 'trades', 'tokens', 'token_markets'].join(', ')}`);
  // The token has no proof of completeness, so the list looks up its newest trade.
  const mint = benchMint(0);
  const tradePage = await countWork(counted, async (transaction) => {
    const page = await listTrades(transaction, mint, { limit: PAGE });
    if (page?.items.length !== PAGE) throw new Error('a page of trades is missing');
  });
  const list = (database: Database) => listIntents(database, accountOf(db), { limit: PAGE });
  return {
    lookUpsOfTradePage: tradePage.lookUps('trades'),
    pagesOfIntentList: await pagesOfRead(counted, list),
  };
}

/** A worker looks 2.5 times a second: with a log that it has followed to the end, that must cost next to nothing. */
async function countRankings(counted: CountedDatabase): Promise<number> {
  const { db } = counted;
  await db`
    insert into stream_log (kind, mint_address, at)
    select 'market', ${benchMint(0)}, now() from generate_series(1, ${LOG_ENTRIES}::int)`;
  await db`
    update ranking_progress set log_position = (select max(id) from stream_log), swept_through = null, prominent_at = now()`;
  await db`
    insert into token_rankings (mint_address, ordinal, status, launch_type, listed, due_at)
    select mint_address, ordinal, status, launch_type, true, now() + interval '1 day' from tokens
    on conflict (mint_address) do update set due_at = excluded.due_at`;
  await db.unsafe('vacuum analyze stream_log, token_rankings, ranking_progress, stream_progress');
  return pagesOfRead(counted, async (database) => {
    const [row] = await database<
      { isDue: boolean }[]
    >`select ${isRankingDue(database, new Date())} as is_due`;
    if (row?.isDue !== false) throw new Error('rankings are due');
  });
}

/**
 * Counts calls of `String.prototype.replace` while work runs. The driver makes two for each element of an array
 * parameter.
 */
async function countReplacements(work: () => Promise<unknown>): Promise<number> {
  const { replace } = String.prototype;
  let count = 0;
  const counting = function (this: string, ...args: Parameters<typeof replace>) {
    count += 1;
    return replace.apply(this, args);
  };
  Object.defineProperty(String.prototype, 'replace', { value: counting, configurable: true, writable: true });
  try {
    await work();
  } finally {
    Object.defineProperty(String.prototype, 'replace', {
      value: replace,
      configurable: true,
      writable: true,
    });
  }
  return count;
}
