import type { PendingQuery, Row } from 'postgres';
import type { Queryable } from './client.ts';

/**
 * SQL: one of a closed list of values as a literal, for columns with rare values: the planner must see the
 * value, and a generic plan sees no parameter. Throws RangeError on any other value.
 */
export function enumLiteral<Value extends string>(
  db: Queryable,
  values: readonly Value[],
  value: Value,
): PendingQuery<Row[]> {
  if (!values.includes(value) || !/^[a-z_]+$/.test(value)) throw new RangeError(`unknown value: ${value}`);
  return db.unsafe(`'${value}'`);
}
