import type { Database } from '../../src/db/client.ts';
import { isOpen } from '../model/delivery-transitions.ts';
import { ANNOUNCED_AFTER_MINUTES } from '../model/settings.ts';

/** Counts stop here: more would read a whole backlog, or every endpoint in an outage. */
const COUNT_MAX = 10_000;
/** Most overdue deliveries that are searched for one whose endpoint is not paused. */
const OVERDUE_MAX = 1_000;

export interface Backlog {
  due: number;
  scheduled: number;
  processing: number;
  /** 0 when nothing is due. */
  oldestDueSeconds: number;
}

/** Counts the open deliveries of the whole service; each count reads a partial index and is bounded. */
export async function readBacklog(sql: Database): Promise<Backlog> {
  const [row] = await sql<Backlog[]>`
    select
      (select count(*)::int from (select from webhook_deliveries
        where ${isOpen(sql)} and next_attempt_at <= now() limit ${COUNT_MAX}) due) as due,
      (select count(*)::int from (select from webhook_deliveries
        where ${isOpen(sql)} and next_attempt_at > now() limit ${COUNT_MAX}) later) as scheduled,
      (select count(*)::int from (select from webhook_deliveries
        where status = 'processing' and lease_expires_at is not null limit ${COUNT_MAX}) taken) as processing,
      coalesce((
        select extract(epoch from now() - min(greatest(overdue.next_attempt_at, endpoint.paused_until)))
        from (
          select endpoint_id, next_attempt_at from webhook_deliveries
          where ${isOpen(sql)} and next_attempt_at <= now()
          order by next_attempt_at limit ${OVERDUE_MAX}) overdue
        join webhook_endpoints endpoint on endpoint.id = overdue.endpoint_id
        where endpoint.paused_until is null or endpoint.paused_until <= now()), 0)::float8 as oldest_due_seconds`;
  if (row === undefined) throw new Error('the backlog returned no row');
  return row;
}

/** Counts enabled endpoints whose every attempt has failed for 20 minutes; reads the index of failing endpoints. */
export async function countFailing(sql: Database): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from webhook_endpoints
      where failing_since is not null and status = 'enabled' and deleted_at is null
        and greatest(failing_since, judged_from) <= now() - ${ANNOUNCED_AFTER_MINUTES}::int4 * interval '1 minute'
      limit ${COUNT_MAX}) failing`;
  return row?.count ?? 0;
}
