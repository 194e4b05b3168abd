import type { Database, Transaction } from '../../src/db/client.ts';
import { connectRecording, type SentStatement } from '../../test/support/database/query-plans.ts';

export interface CountedDatabase {
  db: Database;
  /** Statements that the product has sent since the start or the last `clear`. */
  sent: SentStatement[];
  clear(): void;
}

/** Opens one connection with the product's types that records every statement. The caller ends it. */
export function connectCounted(url: string): CountedDatabase {
  const { db, sent } = connectRecording(url);
  return { db, sent, clear: () => void sent.splice(0) };
}

/** Work of Postgres in one transaction, by table; a partition counts for its table. */
export interface Work {
  statements: number;
  /** Searches of indexes. */
  lookUps(table: string): number;
  /** Rows that were changed. */
  changed(table: string): number;
  /** Changed rows that are no heap-only tuples (HOT): each has a new entry in every index of the table. */
  reindexed(table: string): number;
}

interface TableRow {
  name: string;
  lookUps: number;
  changed: number;
  kept: number;
}

/**
 * Counts the work of one transaction, and rolls it back. Postgres counts for this connection alone, so other sessions and
 * other load do not matter.
 */
export async function countWork(
  { db, sent, clear }: CountedDatabase,
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<Work> {
  const undo = new Error('undo');
  let statements = 0;
  let before: readonly TableRow[] = [];
  let after: readonly TableRow[] = [];
  await db
    .begin(async (transaction) => {
      before = await readTables(transaction);
      clear();
      await work(transaction);
      statements = sent.length;
      after = await readTables(transaction);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  const sum = (rows: readonly TableRow[], table: string, field: 'lookUps' | 'changed' | 'kept') =>
    rows
      .filter(({ name }) => name === table || name.startsWith(`${table}_`))
      .reduce((total, row) => total + row[field], 0);
  const difference = (table: string, field: 'lookUps' | 'changed' | 'kept') =>
    sum(after, table, field) - sum(before, table, field);
  return {
    statements,
    lookUps: (table) => difference(table, 'lookUps'),
    changed: (table) => difference(table, 'changed'),
    reindexed: (table) => difference(table, 'changed') - difference(table, 'kept'),
  };
}

function readTables(transaction: Transaction): Promise<readonly TableRow[]> {
  return transaction<TableRow[]>`
    select relname as name, coalesce(idx_scan, 0)::int as look_ups, n_tup_upd::int as changed, n_tup_hot_upd::int as kept
    from pg_stat_xact_user_tables`;
}

/**
 * Pages that a statement reads, in a transaction that is rolled back. A scan also counts the entries that it rejects.
 */
export async function pagesOf({ db, clear }: CountedDatabase, statement: SentStatement): Promise<number> {
  const undo = new Error('undo');
  let pages = Number.NaN;
  await db
    .begin(async (transaction) => {
      const [row] = await transaction.unsafe(
        `explain (analyze, buffers, timing off, format json) ${statement.text}`,
        statement.parameters as never[],
      );
      const plan = row?.['QUERY PLAN'][0].Plan as Record<string, number>;
      pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  clear();
  return pages;
}

/** Pages of all statements of a read. Throws when it sends none. */
export async function pagesOfRead(
  counted: CountedDatabase,
  read: (db: Database) => Promise<unknown>,
): Promise<number> {
  counted.clear();
  await read(counted.db);
  const statements = [...counted.sent];
  if (statements.length === 0) throw new Error('nothing was read');
  let pages = 0;
  for (const statement of statements) pages += await pagesOf(counted, statement);
  return pages;
}
