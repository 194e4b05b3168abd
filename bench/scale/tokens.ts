import type { Database } from '../../src/db/client.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import { findTokens } from '../../src/features/tokens/find-tokens.ts';
import { listRankedTokens } from '../../src/features/tokens/list-ranked-tokens.ts';
import { listTokens } from '../../src/features/tokens/list-tokens.ts';
import { searchTokens } from '../../src/features/tokens/search-tokens.ts';
import { PROMINENT_TOKENS } from '../../src/features/tokens/store-names.ts';
import type { BenchCase } from '../cases/case.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { growthOf } from './growth.ts';
import { interleaved, type SizedCall } from './interleaved.ts';
import { withSizedDatabases } from './sized-databases.ts';
import { sizesUpTo } from './sizes.ts';

const SIZES = { full: [1, 100, 10_000, 1_000_000], quick: [1, 100, 10_000], shortest: [30, 100] };
const TABLES = ['tokens', 'token_markets', 'token_rankings', 'token_names'];
const PAGE = 20;
const MINT_DIGITS = 44;

/**
 * Uncached reads of tokens by the number of tokens: the store's functions with their prepared statements, one call after
 * the other. Lists are compared among sizes that fill a page.
 */
export const tokenScale: BenchCase = async (options) => {
  const { rounds, roundMs, seed = 1 } = options;
  return withSizedDatabases(
    { sizes: sizesUpTo(options, SIZES), unit: 'token', tables: TABLES, fill: storeTokens },
    async (databases) => {
      const figures = await interleaved(databases, reads(seed), { rounds, roundMs });
      const filling = databases.filter(({ size }) => size > PAGE);
      return {
        name: `uncached reads of tokens, pages of ${PAGE}`,
        figures,
        plot: 'sizes',
        ratios: {
          'growth per tenfold, getToken': growthOf(figures, databases, 'getTokenUs'),
          'growth per tenfold, listTokens, first page': growthOf(figures, filling, 'firstPageUs'),
          'growth per tenfold, listTokens, last page': growthOf(figures, filling, 'lastPageUs'),
          'growth per tenfold, listTokens, sorted': growthOf(figures, filling, 'sortedPageUs'),
          'growth per tenfold, listTokens, sorted, last page': growthOf(figures, filling, 'lastSortedPageUs'),
          'growth per tenfold, listTokens, search': growthOf(figures, filling, 'searchUs'),
          'growth per tenfold, listTokens, search for a common word': growthOf(
            figures,
            filling,
            'commonSearchUs',
          ),
          'growth per tenfold, listTokens, by address': growthOf(figures, filling, 'mintsUs'),
        },
      };
    },
  );
};

function reads(seed: number): SizedCall[] {
  const random = seededRandom(seed);
  const anySort = () => SORTS[Math.floor(random() * SORTS.length)] ?? 'marketCap';
  return [
    {
      figure: 'getTokenUs',
      on:
        ({ sql, size }) =>
        async () => {
          const mint = mintOf(1 + Math.floor(random() * size));
          const token = await findToken(sql, mint);
          if (token?.mintAddress !== mint) throw new Error(`${mint} was not found`);
        },
    },
    {
      figure: 'firstPageUs',
      on:
        ({ sql, size }) =>
        async () =>
          requirePage(await listTokens(sql, { limit: PAGE }), size),
    },
    {
      figure: 'lastPageUs',
      // Ordinals begin at 1: the oldest tokens, after all others.
      on:
        ({ sql, size }) =>
        async () =>
          requirePage(await listTokens(sql, { limit: PAGE, after: [String(PAGE + 1)] }), size),
    },
    {
      figure: 'sortedPageUs',
      on:
        ({ sql, size }) =>
        async () =>
          requirePage(
            await listRankedTokens(sql, { sort: anySort(), status: 'bonding', limit: PAGE, bounds: {} }),
            size,
          ),
    },
    {
      figure: 'lastSortedPageUs',
      // Every token has volume 0, so that its ordinal decides.
      on:
        ({ sql, size }) =>
        async () =>
          requirePage(
            await listRankedTokens(sql, {
              sort: 'volume24h',
              limit: PAGE,
              bounds: {},
              after: ['0', String(PAGE + 1)],
            }),
            size,
          ),
    },
    {
      figure: 'searchUs',
      on:
        ({ sql, size }) =>
        async () => {
          const key = `${symbolOf(1 + Math.floor(random() * size))}x`;
          await searchTokens(sql, { text: key, key, limit: PAGE, bounds: {} });
        },
    },
    {
      figure: 'commonSearchUs',
      // The worst search: every prominent token has the word in its name, and all are compared.
      on:
        ({ sql, size }) =>
        async () =>
          requirePage(await searchTokens(sql, { text: COMMON, key: COMMON, limit: PAGE, bounds: {} }), size),
    },
    {
      figure: 'mintsUs',
      on:
        ({ sql, size }) =>
        async () => {
          const from = 1 + Math.floor(random() * Math.max(1, size - PAGE));
          const mints = Array.from({ length: PAGE }, (_, at) => mintOf(Math.min(size, from + at)));
          requirePage({ items: await findTokens(sql, [...new Set(mints)]) }, size);
        },
    },
  ];
}

const COMMON = 'coin';
const SORTS = ['marketCap', 'trades1h', 'priceChange1h', 'lastTradeAt'] as const;

function requirePage({ items: tokens }: { items: readonly unknown[] }, size: number): void {
  if (tokens.length !== Math.min(PAGE, size)) throw new Error(`a page of ${tokens.length} tokens`);
}

/** Text of an address's length and alphabet, by number. */
function mintOf(number: number): string {
  return String(number).replaceAll('0', 'A').padStart(MINT_DIGITS, 'B');
}

/** A symbol that no other token has, of random letters. */
function symbolOf(number: number): string {
  return new Bun.CryptoHasher('md5').update(String(number)).digest('hex').slice(0, 10);
}

async function storeTokens(sql: Database, count: number): Promise<void> {
  await sql`
    insert into tokens (mint_address, creator_wallet, name, symbol, description, image_url, decimals, total_supply,
      launch_type, status, created_at, updated_at)
    select lpad(replace(number::text, '0', 'A'), ${MINT_DIGITS}, 'B'), ${mintOf(1)}, 'Benchmark', 'BENCH',
      repeat('A token of ordinary size. ', 8), 'https://example.com/image.png', 6, 1000000000, 'dbc', 'bonding',
      now(), now()
    from generate_series(1, ${count}::int) as number order by number`;
  await sql`
    insert into token_markets (mint_address, price_in_sol, as_of) select mint_address, 0.001, now() from tokens`;
  await sql`
    insert into token_rankings (mint_address, ordinal, status, launch_type, listed, market_cap_in_sol, trade_count_1h,
      price_change_percent_1h, last_trade_at)
    select mint_address, ordinal, status, launch_type, true, ordinal % 1000, ordinal % 50, ordinal % 200 - 100,
      now() - ordinal * interval '1 second'
    from tokens`;
  await sql`
    insert into token_names (mint_address, ordinal, symbol_key, name_key, terms, prominent)
    select mint_address, ordinal, left(md5(ordinal::text), 10), md5(ordinal::text) || ' ' || ${COMMON},
      left(md5(ordinal::text), 10) || ' ' || md5(ordinal::text) || ' ' || ${COMMON}, ordinal <= ${PROMINENT_TOKENS}::int
    from tokens`;
}
