import type { Database } from './client.ts';

/** Deletes stored responses whose 24 h are over (contract/idempotency#stored-responses), at most `limit` at a time. Returns how many. */
export async function deleteExpiredResponses(db: Database, now: Date, limit: number): Promise<number> {
  const deleted = await db`
    delete from idempotency_records where (account_id, key) in (
      select account_id, key from idempotency_records where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked)`;
  return deleted.count;
}
