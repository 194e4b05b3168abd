import postgres, { type TransactionSql } from 'postgres';
import { LOCK_NOT_AVAILABLE } from './lock-timeout.ts';

/** Modes in which migrations lock tables that processes work on, weakest first. */
const MODES = ['share', 'share row exclusive', 'access exclusive'] as const;

type Mode = (typeof MODES)[number];

/** Requests write to these last, so a migration that locks them last rarely holds what a request needs next. */
const WRITTEN_LAST = ['events', 'event_order', 'stream_progress', 'stream_log'];

/**
 * The commands that lock a table, or the table of an index, until the end of their transaction. A test compares the result with
 * what Postgres locks.
 */
const LOCKING: readonly (readonly [Mode, RegExp])[] = [
  ['access exclusive', /^ALTER TABLE (?:ONLY )?"?(?<name>\w+)/gm],
  ['access exclusive', /^DROP (?:INDEX|TABLE) "?(?<name>\w+)/gm],
  ['access exclusive', /^DROP TRIGGER \w+ ON "?(?<name>\w+)/gm],
  ['share row exclusive', /\bREFERENCES "public"\."(?<name>\w+)"/g],
  ['share row exclusive', /^CREATE (?:CONSTRAINT )?TRIGGER [^;]*? ON "?(?<name>\w+)/gm],
  // Its rows wait for no other transaction then.
  ['share row exclusive', /^(?:UPDATE|DELETE FROM) "?(?<name>\w+)/gm],
  ['share', /^CREATE (?:UNIQUE )?INDEX \S+ ON "?(?<name>\w+)/gm],
];
const LOCK_TABLE = /^LOCK TABLE (?<names>[\w, ]+) IN ACCESS EXCLUSIVE MODE/gm;
const FUNCTION_BODY = /\$\$[\s\S]*?\$\$/g;

const QUERY_CANCELED = '57014';

class TablesBusy extends Error {
  readonly code = LOCK_NOT_AVAILABLE;
  constructor() {
    super('running processes hold locks of the tables that it changes');
  }
}

/** Share of `deadlock_timeout` after which the locks are given up. */
const PATIENCE = 0.6;

/** Names of tables and indexes that the statements lock, each with its strongest mode. Some may not exist yet. */
export function lockedNames(statements: readonly string[]): Map<string, Mode> {
  const locked = new Map<string, Mode>();
  const add = (name: string, mode: Mode) => {
    const before = locked.get(name);
    if (before === undefined || MODES.indexOf(before) < MODES.indexOf(mode)) locked.set(name, mode);
  };
  for (const statement of statements) {
    const commands = statement.replace(FUNCTION_BODY, '');
    for (const [mode, pattern] of LOCKING)
      for (const { groups } of commands.matchAll(pattern)) if (groups?.name) add(groups.name, mode);
    for (const { groups } of commands.matchAll(LOCK_TABLE))
      for (const name of groups?.names?.split(', ') ?? []) add(name, 'access exclusive');
  }
  return locked;
}

/**
 * Locks at once every table that a migration will lock, or throws before Postgres looks for deadlocks: a request that waits for one
 * of these locks, and holds another one, never is the victim. Afterwards the migration waits for no request.
 */
export async function lockTables(sql: TransactionSql, statements: readonly string[]): Promise<void> {
  const locked = lockedNames(statements);
  const found = await sql<{ name: string; table: string }[]>`
    select c.relname as name, coalesce(t.relname, c.relname) as table
    from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${[...locked.keys()]})`;
  const order = (table: string) => WRITTEN_LAST.indexOf(table);
  const commands = MODES.flatMap((mode) =>
    found
      .filter(({ name }) => locked.get(name) === mode)
      .map(({ table }) => ({ table, command: `lock table public.${table} in ${mode} mode;` })),
  ).toSorted((a, b) => order(a.table) - order(b.table));
  if (commands.length === 0) return;
  await sql`
    select set_config('statement_timeout', (setting::int8 * ${PATIENCE}::float8)::int8::text, true)
    from pg_settings where name = 'deadlock_timeout'`;
  try {
    // One statement, so that one limit is for all.
    await sql.unsafe(`do $$ begin ${commands.map(({ command }) => command).join(' ')} end $$`);
  } catch (error) {
    throw error instanceof postgres.PostgresError && error.code === QUERY_CANCELED ? new TablesBusy() : error;
  }
  await sql`set local statement_timeout to default`;
}
