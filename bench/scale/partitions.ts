import { listTrades } from '../../src/features/market/list-trades.ts';
import { attemptsOf } from '../../src/features/webhooks/deliveries/list-attempts.ts';
import { listEvents } from '../../src/features/webhooks/events/list-events.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { type BenchCase, sized } from '../cases/case.ts';
import type { Figures } from '../measurement/rounds.ts';
import { growthOf, growthPerTenfold } from './growth.ts';
import { interleaved, type SizedCall } from './interleaved.ts';
import {
  FILLED_TABLES,
  fillPartitions,
  mintOf,
  newTrade,
  otherRowsOf,
  PUBLIC_EVENT,
  signatureOf,
  slotOf,
  tokensOf,
  weeklyId,
} from './partition-rows.ts';
import { measureUpkeep } from './partition-upkeep.ts';
import { withSizedDatabases } from './sized-databases.ts';

/** Rows of trades at the largest size; `--rows` chooses another number. */
const ROWS = { full: 100_000_000, quick: 1_000_000, shortest: 2_000 };
/** With fewer rows the smallest size has no full page of every table. */
const ROWS_MIN = 20_000;
/** Sizes as shares of the largest. */
const SHARES = { full: [0.01, 0.1, 1], quick: [0.01, 0.1, 1], shortest: [0.5, 1] };
/** From this size on the case announces how long it takes. */
const LONG_ROWS = 5_000_000;
const ROWS_PER_SECOND = 30_000;
const BYTES_PER_ROW = 900;
const PAGE = 20;
const BATCH = { full: 500, quick: 500, shortest: 50 };
const ZERO_ID = '00000000-0000-0000-0000-000000000000';
const EVERYONE = { accountId: ZERO_ID, types: { ofEveryone: [PUBLIC_EVENT], ofAccount: [] } };

/**
 * The partitioned tables by their rows: pages, ingest, retention, and what a migration does to them. 100 million rows
 * take an hour and more, and some 90 GB; `--rows` scales it down.
 */
export const partitionScale: BenchCase = async (options) => {
  const { rounds, roundMs, rows = sized(options, ROWS) } = options;
  if (options.rows !== undefined && rows < ROWS_MIN)
    throw new Error(`scale/partitions needs ${ROWS_MIN} rows at least`);
  if (rows >= LONG_ROWS) {
    const minutes = Math.ceil((rows * 1.11) / ROWS_PER_SECOND / 60);
    console.log(
      `scale/partitions: ${rows.toLocaleString('en')} rows need about ${minutes} minutes and ${Math.ceil((rows * BYTES_PER_ROW) / 1e9)} GB below the folder for temporary files`,
    );
  }
  const nowMs = Date.now();
  const batch = sized(options, BATCH);
  const calls = callsAt(nowMs, batch);
  const shares = sized(options, SHARES);
  const sizes = shares.map((share) => Math.ceil(rows * share));
  return withSizedDatabases(
    { sizes, unit: 'trade', tables: FILLED_TABLES, fill: (sql, size) => fillPartitions(sql, size, nowMs) },
    async (databases) => {
      const figures = await interleaved(databases, calls, { rounds, roundMs });
      const growth = (figure: string) => growthOf(figures, databases, figure);
      const upkeep: Figures[] = [];
      for (const database of databases) {
        const measured = await measureUpkeep(database);
        upkeep.push({ name: `${database.name}, upkeep`, median: measured, rounds: [measured] });
      }
      const growthOnce = (figure: string) =>
        growthPerTenfold(
          databases.map(({ size }, at) => ({ size, cost: upkeep[at]?.median[figure] ?? Number.NaN })),
        );
      return {
        name: `partitioned tables: pages of ${PAGE}, batches of ${batch}; a tenth of the rows in events, attempts and sends each`,
        figures: [...figures, ...upkeep],
        ratios: {
          ...Object.fromEntries(calls.map(({ figure }) => [`growth per tenfold, ${figure}`, growth(figure)])),
          ...Object.fromEntries(
            Object.keys(upkeep[0]?.median ?? {})
              .filter((figure) => figure.endsWith('Us'))
              .map((figure) => [`growth per tenfold, ${figure}`, growthOnce(figure)]),
          ),
        },
      };
    },
  );
};

function callsAt(nowMs: number, batch: number): SizedCall[] {
  return [
    {
      figure: 'newestTradesUs',
      on:
        ({ sql }) =>
        async () =>
          requirePage(await listTrades(sql, mintOf(1), { limit: PAGE })),
    },
    {
      figure: 'oldestTradesUs',
      on({ sql, size }) {
        // Below it are the first trades of each token, a little more than one page.
        const first = (PAGE + 5) * tokensOf(size);
        const after = [String(slotOf(first, size)), '0', '0', '0', ZERO_ID] as const;
        return async () => requirePage(await listTrades(sql, mintOf(1), { limit: PAGE, after }));
      },
    },
    {
      figure: 'tradesOfTransactionUs',
      on({ sql }) {
        return async () => {
          const page = await listTrades(sql, mintOf(1), { limit: PAGE, signature: signatureOf(1) });
          if (page?.items.length !== 1) throw new Error(`${page?.items.length} trades of one transaction`);
        };
      },
    },
    {
      figure: 'oldestEventsUs',
      on:
        ({ sql }) =>
        async () =>
          requirePage(await listEvents(sql, { ...EVERYONE, limit: PAGE })),
    },
    {
      figure: 'newestEventsUs',
      on({ sql, size }) {
        const rows = otherRowsOf(size);
        const from = rows - PAGE - 2;
        const read = async (after: readonly [string, string, string] | undefined) =>
          listEvents(sql, { ...EVERYONE, limit: PAGE, after });
        let history: string | undefined;
        return async () => {
          history ??= (await read(undefined)).last[0];
          requirePage(await read([history, String(from + 1), weeklyId(from, rows, nowMs)]));
        };
      },
    },
    {
      figure: 'attemptsUs',
      on({ sql, size }) {
        const rows = otherRowsOf(size);
        const id = weeklyId(Math.floor(rows / 2), rows, nowMs);
        return async () => {
          const { items } = await attemptsOf(sql, id, { limit: PAGE });
          if (items.length !== 1) throw new Error(`${items.length} attempts of a delivery`);
        };
      },
    },
    {
      figure: 'ingestTradeUs',
      items: batch,
      on({ worker }) {
        let next = 0;
        return async () => {
          const trades = Array.from({ length: batch }, (_, at) => newTrade(next + at));
          next += batch;
          const { changedMints } = await worker.begin((transaction) => storeTrades(transaction, trades));
          if (changedMints.length === 0) throw new Error('a batch was not stored');
        };
      },
    },
  ];
}

function requirePage(page: { items: readonly unknown[] } | null): void {
  if (page?.items.length !== PAGE) throw new Error(`a page of ${page?.items.length}`);
}
