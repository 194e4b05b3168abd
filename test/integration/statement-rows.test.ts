import { beforeAll, expect, test } from 'bun:test';
import ts from 'typescript';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { StatementRenderer } from '../support/statements/render-statement.ts';
import { readTypedStatements, type TypedStatement } from '../support/statements/typed-statements.ts';

/** The share of statements with a row type that must be checked, in percent. The others are built of more than their source says. */
const CHECKED_PERCENT = 80;

/** Columns of tables that may be null, where a condition of the statement excludes it. */
const NOT_NULL_BY_CONDITION: Readonly<Record<string, readonly string[]>> = {
  'relay/maintenance/judge-failing.ts': ['failingSince'],
  'src/admin/re-encrypt.ts': ['sealedTransaction'],
  'src/features/fees/claimable/list-partner-wallets.ts': ['partnerWallet'],
  'src/features/fees/claims/settle-claims.ts': ['transactionSignature'],
  'src/features/identity/service-key-rows.ts': ['revokedAt'],
  'src/features/market/overview/find-overview.ts': ['asOf', 'computedAt'],
  'src/features/operations/runner/lease-rows.ts': ['leaseToken'],
  'src/features/orders/sending/claim-orders.ts': ['triggerSlot', 'triggeredAt'],
  'src/features/predictions/rounds/list-standings.ts': ['distancePpm'],
  'src/features/predictions/rounds/settle-round.ts': ['participantCount'],
  'src/features/webhooks/deliveries/find-any-delivery.ts': ['errorDetail'],
  'src/indexer/fees/token-fees.ts': ['problem'],
  'src/indexer/store/fee-pools.ts': ['poolAddress'],
  'src/indexer/store/ingest-position.ts': ['recordedAt'],
  'src/indexer/store/trigger-orders.ts': ['openedAt', 'triggerSlot'],
  'src/intents/confirm/list-awaited-intents.ts': ['signedTransaction'],
  'src/intents/send/claim-broadcasts.ts': ['signedTransaction', 'submittedAt'],
};

interface Column {
  name: string;
  /** The oid of its type. */
  type: number;
  /** The oid of the table that it comes from, and its number in it; 0 for an expression. */
  table: number;
  number: number;
}

const STRING = ts.TypeFlags.StringLike;
const NUMBER = ts.TypeFlags.NumberLike;
/** What the driver makes of a type of Postgres. */
const flagsOfType: Readonly<Record<string, ts.TypeFlags>> = {
  bool: ts.TypeFlags.BooleanLike,
  int8: ts.TypeFlags.BigIntLike,
  int2: NUMBER,
  int4: NUMBER,
  oid: NUMBER,
  float4: NUMBER,
  float8: NUMBER,
  name: STRING,
  numeric: STRING,
  text: STRING,
  uuid: STRING,
  varchar: STRING,
  xid8: STRING,
};

let db: Database;
let typeNames: Map<number, string>;
let nullableColumns: Set<string>;
const excused = new Set<string>();

beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connectDatabase(url, { applicationName: 'statement rows', connections: 1 });
  atEnd(() => db.end());
  const types = await db<{ oid: number; name: string }[]>`select oid, typname as name from pg_type`;
  typeNames = new Map(types.map(({ oid, name }) => [oid, name]));
  // Every column of a view may be null for Postgres.
  const columns = await db<{ column: string }[]>`
    select attrelid::int8 || '.' || attnum as column from pg_attribute join pg_class on pg_class.oid = attrelid
    where not attnotnull and relkind in ('r', 'p')`;
  nullableColumns = new Set(columns.map(({ column }) => column));
});

const isOptional = (property: ts.Symbol) => (property.flags & ts.SymbolFlags.Optional) !== 0;
const isNull = ({ flags }: ts.Type) => (flags & ts.TypeFlags.Null) !== 0;
const isAnything = ({ flags }: ts.Type) => (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0;

/** Whether values of a type of Postgres are values of the declared type. */
function hasType(declared: ts.Type, type: string, checker: ts.TypeChecker): boolean {
  if (declared.isUnion())
    return declared.types.every((member) => isNull(member) || hasType(member, type, checker));
  if (isAnything(declared) || isNull(declared)) return true;
  // A branded text.
  if (declared.isIntersection()) return declared.types.some((member) => hasType(member, type, checker));
  if (type === 'timestamptz') return checker.typeToString(declared) === 'Date';
  const flags = flagsOfType[type];
  return flags === undefined || (declared.flags & flags) !== 0;
}

/** What differs between the columns of a statement and one type of its rows. */
function differences(
  { place }: TypedStatement,
  row: ts.Type,
  columns: readonly Column[],
  checker: ts.TypeChecker,
): string[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const file = place.slice(0, place.lastIndexOf(':'));
  return checker.getPropertiesOfType(row).flatMap((property) => {
    const column = byName.get(property.name);
    const at = `${place} ${property.name}`;
    if (column === undefined) return isOptional(property) ? [] : [`${at}: no such column`];
    const declared = checker.getTypeOfSymbol(property);
    const type = typeNames.get(column.type) ?? '';
    const found = hasType(declared, type, checker)
      ? []
      : [`${at}: ${checker.typeToString(declared)} is ${type}`];
    const allowsNull =
      isAnything(declared) || isNull(declared) || (declared.isUnion() && declared.types.some(isNull));
    if (allowsNull || !nullableColumns.has(`${column.table}.${column.number}`)) return found;
    if (!NOT_NULL_BY_CONDITION[file]?.includes(property.name)) return [...found, `${at}: may be null`];
    excused.add(`${file} ${property.name}`);
    return found;
  });
}

test('rows have the columns that the types beside their statements declare, with these types, and null only where declared', async () => {
  const { checker, statements } = readTypedStatements();
  const renderer = new StatementRenderer(checker, db);
  const found: string[] = [];
  let checked = 0;
  for (const statement of statements) {
    const query = renderer.render(statement.template);
    if (query === null) continue;
    checked += 1;
    const { columns } = (await query.describe()) as { columns: readonly Column[] };
    for (const row of statement.rows) found.push(...differences(statement, row, columns, checker));
  }
  expect(found.sort()).toEqual([]);
  const excuses = Object.entries(NOT_NULL_BY_CONDITION);
  expect([...excused].sort()).toEqual(
    excuses.flatMap(([file, names]) => names.map((name) => `${file} ${name}`)).sort(),
  );
  expect((100 * checked) / statements.length).toBeGreaterThan(CHECKED_PERCENT);
});
