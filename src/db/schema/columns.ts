import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, bigint, customType, numeric, timestamp } from 'drizzle-orm/pg-core';

/** Raw bytes; arrives as a Buffer. */
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
});

/** An instant, UTC. Postgres keeps microseconds, `Date` milliseconds: never a pagination key. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** An exact decimal without a scale; arrives as a string (contract/requests#exact-arithmetic). */
export const decimal = (name: string) => numeric(name);

/** A transaction id with its epoch, or a place in the order of commits. Arrives as a string of digits. */
export const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });

/** A 64-bit integer; arrives as a bigint. */
export const int64 = (name: string) => bigint(name, { mode: 'bigint' });

/** `column in (values)` for a check constraint; the values are constants of this code. */
export function isOneOf(column: AnyPgColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
}

/** A text by the order of its bytes, as programs compare it, whatever the collation of the database is. */
export function byteOrder(column: AnyPgColumn): SQL {
  return sql`${column} collate "C"`;
}
