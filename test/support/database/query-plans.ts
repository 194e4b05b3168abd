import postgres from 'postgres';
import type { Database, Transaction } from '../../../src/db/client.ts';
import { atEnd } from '../run/cleanup.ts';

/** A statement of the product. */
export interface SentStatement {
  text: string;
  parameters: unknown[];
}

/** A connection like the product's that notes every statement. The caller ends it. */
export function connectRecording(url: string): { db: Database; sent: SentStatement[] } {
  const sent: SentStatement[] = [];
  const db = postgres(url, {
    max: 1,
    transform: postgres.camel,
    types: { bigint: postgres.BigInt },
    onnotice: () => {},
    // The value for solid-state disks. With the default of 4 the planner scans small tables instead of using
    // an index.
    connection: { random_page_cost: '1.1' },
    debug: (_connection, text, parameters) => sent.push({ text, parameters }),
  }) as Database;
  return { db, sent };
}

/** `connectRecording` until the end of the test file. */
export function recordingDatabase(url: string): { db: Database; sent: SentStatement[] } {
  const { db, sent } = connectRecording(url);
  atEnd(() => db.end({ timeout: 1 }));
  return { db, sent };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** The work of one run of a statement. */
export interface Effort {
  /** Tables with a sequential scan. */
  scanned: string[];
  /** The most rows that one step produced or removed. */
  rowsMax: number;
}

/** Tables that no hot statement may scan. */
export async function bigTables(db: Database, rowsMin: number): Promise<ReadonlySet<string>> {
  const rows = await db<{ relname: string }[]>`
    select relname from pg_class where relkind = 'r' and reltuples >= ${rowsMin} and relnamespace = 'public'::regnamespace`;
  return new Set(rows.map(({ relname }) => relname));
}

/** Runs the statement under `explain analyze` with the plan for its parameters, without leaving a trace. */
export async function effortOf(db: Database, statement: SentStatement): Promise<Effort> {
  const nodes = await stepsOf(db, statement);
  const rowsOf = (node: PlanNode) =>
    node['Actual Loops'] *
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0));
  return {
    scanned: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? 'unnamed'),
    rowsMax: Math.max(...nodes.map(rowsOf)),
  };
}

/**
 * The pages of Postgres that the statement reads. Entries of an index that a scan passes and rejects are in no count of
 * rows, only in this one.
 */
export async function pagesOf(db: Database, { text, parameters }: SentStatement): Promise<number> {
  return await undone(db, async (transaction) => {
    const rows = await transaction.unsafe(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      parameters.map(unserialised) as never[],
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan as Record<string, number>;
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  });
}

/** How often the statement looks into a partition of the table, at most. */
export async function mostLooks(db: Database, statement: SentStatement, table: string): Promise<number> {
  const nodes = await stepsOf(db, statement);
  const looks = nodes.filter((node) => node['Relation Name']?.startsWith(`${table}_`));
  return Math.max(...looks.map((node) => node['Actual Loops']));
}

async function stepsOf(db: Database, { text, parameters }: SentStatement): Promise<PlanNode[]> {
  const plan = await undone(db, async (transaction) => {
    const rows = await transaction.unsafe(
      `explain (analyze, timing off, format json) ${text}`,
      parameters.map(unserialised) as never[],
    );
    return rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
  });
  return flatten(plan);
}

/**
 * Like `effortOf`, but with the generic plan that the api's connections use. `explain` cannot show it, so
 * this reads the transaction's statistics.
 */
export async function genericEffortOf(db: Database, { text, parameters }: SentStatement): Promise<Effort> {
  return await undone(db, async (transaction) => {
    await transaction`set local plan_cache_mode = force_generic_plan`;
    await transaction`set local enable_seqscan = off`;
    await transaction`set local max_parallel_workers_per_gather = 0`;
    const before = await readRows(transaction);
    await transaction.unsafe(text, parameters.map(unserialised) as never[], { prepare: true });
    const rows = (await readRows(transaction)).map(({ name, scans, rows: count }) => {
      const known = before.find((row) => row.name === name);
      return { name, scans: scans - (known?.scans ?? 0), rows: count - (known?.rows ?? 0) };
    });
    return {
      scanned: rows.filter(({ scans }) => scans > 0).map(({ name }) => name),
      rowsMax: Math.max(0, ...rows.map(({ rows: count }) => count)),
    };
  });
}

function readRows(transaction: Transaction) {
  return transaction<{ name: string; scans: number; rows: number }[]>`
    select relname as name, seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables`;
}

/** Runs work in a transaction that is rolled back, and returns its result. */
export async function undone<Value>(
  db: Database,
  work: (transaction: Transaction) => Promise<Value>,
): Promise<Value> {
  const undo = new Error('undo');
  let result: { value: Value } | undefined;
  await db
    .begin(async (transaction) => {
      result = { value: await work(transaction) };
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  if (result === undefined) throw new Error('nothing was measured');
  return result.value;
}

/** The driver serialises JSON again, so it needs the value instead of the text. */
function unserialised(parameter: unknown): unknown {
  return typeof parameter === 'string' && parameter.startsWith('[{') ? JSON.parse(parameter) : parameter;
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
