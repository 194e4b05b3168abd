import postgres from 'postgres';
import type { Database } from '../../src/db/client.ts';
import { atEnd } from './cleanup.ts';

/** A statement as the product sent it. */
export interface SentStatement {
  text: string;
  parameters: unknown[];
}

/** A connection like the product's that notes every statement. */
export function recordingDatabase(url: string): { db: Database; sent: SentStatement[] } {
  const sent: SentStatement[] = [];
  const db = postgres(url, {
    max: 1,
    transform: postgres.camel,
    types: { bigint: postgres.BigInt },
    onnotice: () => {},
    // Solid-state disks: with the default of 4 the planner reads small tables whole rather than by index.
    connection: { random_page_cost: '1.1' },
    debug: (_connection, text, parameters) => sent.push({ text, parameters }),
  }) as Database;
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

/** What one run of a statement did. */
export interface Effort {
  /** Tables read from their first row on. */
  scanned: string[];
  /** Most rows that one step produced or threw away. */
  rowsMax: number;
}

/** Tables that no hot statement may read as a whole. */
export async function bigTables(db: Database, rowsMin: number): Promise<ReadonlySet<string>> {
  const rows = await db<{ relname: string }[]>`
    select relname from pg_class where relkind = 'r' and reltuples >= ${rowsMin} and relnamespace = 'public'::regnamespace`;
  return new Set(rows.map(({ relname }) => relname));
}

/** Runs the statement under `explain analyze`, without leaving a trace. */
export async function effortOf(db: Database, { text, parameters }: SentStatement): Promise<Effort> {
  const undo = new Error('undo');
  let plan: PlanNode | undefined;
  await db
    .begin(async (transaction) => {
      const rows = await transaction.unsafe(
        `explain (analyze, timing off, format json) ${text}`,
        parameters.map(unserialised) as never[],
      );
      plan = rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  if (plan === undefined) throw new Error('explain yielded no plan');
  const nodes = flatten(plan);
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

/** The driver serialises JSON again, so that it has to be given the value. */
function unserialised(parameter: unknown): unknown {
  return typeof parameter === 'string' && parameter.startsWith('[{') ? JSON.parse(parameter) : parameter;
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
