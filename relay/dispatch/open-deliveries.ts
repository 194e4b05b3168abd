import type { Database, Queryable } from '../../src/db/client.ts';

/** SQL: whether a delivery waits for an attempt, of any endpoint, in the terms of the partial index of due times. */
export function isOpen(sql: Queryable) {
  return sql`status in ('pending', 'retrying') and lease_expires_at is null`;
}

export interface NextDue {
  /** Milliseconds until another delivery becomes due, null when none will. */
  dueMs: number | null;
  /** Deliveries are due that could not be claimed, because their endpoint is paused or at its limit. */
  someBlocked: boolean;
}

/** What to wait for after a claim that returned nothing. */
export async function nextDue(sql: Database): Promise<NextDue> {
  const [row] = await sql<NextDue[]>`
    select (select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 from webhook_deliveries
        where ${isOpen(sql)} and next_attempt_at > now()) as due_ms,
      exists (select from webhook_deliveries where ${isOpen(sql)} and next_attempt_at <= now()) as some_blocked`;
  return row ?? { dueMs: null, someBlocked: false };
}
