import type { Database } from '../../src/db/client.ts';
import { ANNOUNCED_AFTER_MINUTES } from '../maintenance/announce-failing.ts';

/** Counts stop here: an outage of the network makes every endpoint fail. */
const COUNT_MAX = 10_000;

export type FailingCounts = Record<'subscription' | 'contact', number>;

/** Enabled endpoints whose every attempt has failed for 20 minutes, by purpose; reads the index of those that fail. */
export async function countFailing(sql: Database): Promise<FailingCounts> {
  const rows = await sql<{ purpose: keyof FailingCounts; count: number }[]>`
    select purpose, count(*)::int as count from (
      select purpose from webhook_endpoints
      where failing_since is not null and status = 'enabled' and deleted_at is null
        and greatest(failing_since, judged_from) <= now() - ${ANNOUNCED_AFTER_MINUTES}::int4 * interval '1 minute'
      limit ${COUNT_MAX}) failing group by purpose`;
  const counts: FailingCounts = { subscription: 0, contact: 0 };
  for (const { purpose, count } of rows) counts[purpose] = count;
  return counts;
}
