import type { Parameter, PendingQuery, Row } from 'postgres';
import type { Queryable } from './client.ts';

type Sql = PendingQuery<Row[]>;
type Value = string | number | bigint | boolean | Date | Uint8Array | Parameter | null;

/** A column that a statement inserts: its name, its type, and its value for a row. */
export type InsertedColumn<Stored> = readonly [
  name: string,
  type: string,
  value: (row: Stored, sql: Queryable) => Value,
];

export function namesOf(columns: readonly (readonly [name: string, ...rest: unknown[]])[]): string {
  return columns.map(([name]) => name).join(', ');
}

/**
 * SQL that inserts one row, for every statement that does: they have the columns of one list. `from` follows the
 * values and says when the row is inserted; if unset, always.
 */
export function insertOf<Stored>(
  table: string,
  columns: readonly InsertedColumn<Stored>[],
): (sql: Queryable, row: Stored, from?: Sql) => Sql {
  const template = templateOf(
    `insert into ${table} (${namesOf(columns)}) select `,
    columns.map(([, type]) => `::${type}`),
    [' ', ''],
  );
  return (sql, row, from = sql``) => sql(template, ...columns.map(([, , value]) => value(row, sql)), from);
}

/**
 * A template whose parameters stand in a list: the driver takes it for one that is written out, and sends the same
 * text each time.
 */
export function templateOf(
  before: string,
  types: readonly string[],
  [after, ...rest]: readonly string[],
): TemplateStringsArray {
  const strings = [
    before,
    ...types.map((type, at) => type + (at + 1 < types.length ? ', ' : after)),
    ...rest,
  ];
  return Object.assign(strings, { raw: strings });
}
