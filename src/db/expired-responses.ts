import type { Database } from './client.ts';
import { accountResponses, type ResponseTable } from './idempotency-record.ts';

/**
 * Deletes stored responses after their 24 h (contract/idempotency#stored-responses), at most `limit` at a
 * time. Returns their number.
 */
export async function deleteExpiredResponses(
  db: Database,
  now: Date,
  limit: number,
  { table, caller }: ResponseTable = accountResponses,
): Promise<number> {
  const deleted = await db`
    delete from ${db(table)} where (${db(caller)}, key) in (
      select ${db(caller)}, key from ${db(table)} where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked)`;
  return deleted.count;
}
