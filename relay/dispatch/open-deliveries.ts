import type { Queryable } from '../../src/db/client.ts';

/** SQL: whether a delivery waits for an attempt, of any endpoint, in the terms of the partial index of due times. */
export function isOpen(sql: Queryable) {
  return sql`status in ('pending', 'retrying') and lease_expires_at is null`;
}
