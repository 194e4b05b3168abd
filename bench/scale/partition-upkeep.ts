import { connectDatabase, type Database } from '../../src/db/client.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { migrate } from '../../src/db/migrate.ts';
import { dropExpiredPartitions, makePartitions, type PartitionedTable } from '../../src/db/partitions.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { mintOf, NEXT_SLOT, newTrade, OLDEST_PARTITION_DAYS } from './partition-rows.ts';
import type { SizedDatabase } from './sized-databases.ts';

const PAGE = 20;
const OTHERS_KEPT_DAYS = 30;
/** The default partition gets one row for this many rows of trades, as after a worker that was away for long. */
const ROWS_PER_STRAY = 100;
/** Lies beyond all existing partitions. */
const STRAY_SLOT = NEXT_SLOT + 50_000_000;
/** Numbers of the trades that are stored while a partition is dropped. */
const PROBES_FROM = 5_000_000;
const PROBE_EVERY_MS = 10;

/** Measures what happens once to tables of one size, in microseconds. */
export async function measureUpkeep({ sql, url, size }: SizedDatabase): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  figures.migrateAgainUs = await timed(() => migrate(url));
  figures.addColumnsUs = await timed(() => addColumns(sql));
  figures.makePartitionUs = await timed(() => makePartitions(sql, BigInt(NEXT_SLOT + 10_000_000)));
  figures.moveStrayRowUs = await moveStrayRows(sql, Math.ceil(size / ROWS_PER_STRAY));
  const worker = connectDatabase(url, {
    applicationName: 'bench-worker',
    connections: 1,
    role: 'launchwire_worker',
    limits: databaseLimits.worker,
  });
  try {
    return { ...figures, ...(await measureRetention(worker, url)) };
  } finally {
    await worker.end({ timeout: 1 });
  }
}

/** Drops partitions with the rights and time limits of the worker, and measures the longest read and store beside it. */
async function measureRetention(sql: Database, url: string): Promise<Record<string, number>> {
  const probe = await startProbe(url);
  try {
    const figures = await dropAll(sql);
    return { ...figures, ...probe.longest() };
  } finally {
    await probe.end();
  }
}

async function dropAll(sql: Database): Promise<Record<string, number>> {
  const trades = await drop(sql, 'trades', OLDEST_PARTITION_DAYS);
  if (!trades.names.includes('trades_300m') || trades.names.includes('trades_310m'))
    throw new Error(`other partitions were dropped: ${trades.names}`);
  const figures: Record<string, number> = { dropTradesUs: trades.us };
  let { busyPasses } = trades;
  for (const [figure, table] of [
    ['dropEventsUs', 'events'],
    ['dropAttemptsUs', 'webhook_attempts'],
    ['dropSendsUs', 'intent_sends'],
  ] as const) {
    const dropped = await drop(sql, table, OTHERS_KEPT_DAYS);
    if (dropped.names.length < 4)
      throw new Error(`${dropped.names.length} partitions of ${table} were dropped`);
    figures[figure] = dropped.us / dropped.count;
    busyPasses += dropped.busyPasses;
  }
  return { ...figures, busyPasses };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return (performance.now() - startedAtMs) * 1000;
}

/**
 * Drops what is expired. A pass that meets a busy table ends after 100 ms of waiting, and the worker begins the next one a
 * minute later; here it begins at once. The time is that of the last pass, which is not busy, and of `count` partitions.
 */
async function drop(sql: Database, table: PartitionedTable, keepDays: number) {
  const names: string[] = [];
  let busyPasses = 0;
  for (;;) {
    const startedAtMs = performance.now();
    const { changed, isBusy } = await dropExpiredPartitions(sql, table, new Date(), keepDays);
    const us = (performance.now() - startedAtMs) * 1000;
    names.push(...changed);
    if (!isBusy) return { names, count: changed.length, us, busyPasses };
    busyPasses += 1;
  }
}

/** A column more in each partitioned table, as an expanding migration adds it, and away again. */
async function addColumns(sql: Database): Promise<void> {
  const tables = ['trades', 'events', 'webhook_attempts', 'intent_sends'];
  await sql.begin(async (transaction) => {
    for (const table of tables)
      await transaction.unsafe(`alter table ${table} add column bench_note text default 'none' not null`);
  });
  await sql.begin(async (transaction) => {
    for (const table of tables) await transaction.unsafe(`alter table ${table} drop column bench_note`);
  });
}

/** Microseconds for each row that waited in the default partition until its partition was made. */
async function moveStrayRows(sql: Database, rows: number): Promise<number> {
  await sql`set session_replication_role = replica`;
  await sql`
    insert into trades (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol, slot,
      transaction_index, outer_index, inner_index, block_time, transaction_signature)
    select md5('stray' || number)::uuid, ${mintOf(0)}, 'buy', 'trader', 1.5, 3, 0.5, ${STRAY_SLOT}::int8 + number, 0, 2, 0,
      now(), 'stray' || number
    from generate_series(1, ${rows}::int) as number`;
  await sql`set session_replication_role = origin`;
  const us = await timed(() => makePartitions(sql, null));
  const [left] = await sql<{ count: number }[]>`select count(*)::int as count from trades_default`;
  if (left?.count !== 0) throw new Error(`${left?.count} rows have no partition`);
  return us / rows;
}

/** Reads a page and stores a trade, a hundred times a second at most, on connections of its own; the longest of each. */
async function startProbe(url: string) {
  const sql = connectDatabase(url, { applicationName: 'bench-probe', connections: 2 });
  let isEnding = false;
  let next = PROBES_FROM;
  const longest = { longestReadUs: 0, longestIngestUs: 0 };
  const read = () => listTrades(sql, mintOf(0), { limit: PAGE });
  const store = () => {
    next += 1;
    return sql.begin((transaction) => storeTrades(transaction, [newTrade(next)]));
  };
  // Connections and plans are there before anything is measured.
  await Promise.all([read(), store()]);
  const repeat = async (figure: keyof typeof longest, act: () => Promise<unknown>) => {
    do {
      longest[figure] = Math.max(longest[figure], await timed(act));
      await Bun.sleep(PROBE_EVERY_MS);
    } while (!isEnding);
  };
  const running = Promise.all([repeat('longestReadUs', read), repeat('longestIngestUs', store)]);
  return {
    longest: () => ({ ...longest }),
    async end() {
      isEnding = true;
      await running.finally(() => sql.end({ timeout: 1 }));
    },
  };
}
