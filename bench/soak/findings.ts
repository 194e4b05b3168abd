import type { Database } from '../../src/db/client.ts';

/** Counts that must be zero at the end. */
export interface Findings {
  missingEvents: number;
  /** Outbox rows that were never published, and events without a finished fan-out. */
  unpublishedEvents: number;
  unfannedEvents: number;
  /** (event, endpoint) pairs without a row. */
  missingDeliveries: number;
  notSucceeded: number;
  /** Attempts without an end, and deliveries whose count, numbers, or success do not match their attempts. */
  unfinishedAttempts: number;
  inconsistentDeliveries: number;
}

const EXAMPLES_MAX = 5;

/** Compares events, deliveries and attempts with each other and with the number of published events. */
export async function findings(sql: Database, events: number, endpoints: number): Promise<Findings> {
  const [row] = await sql<Findings[]>`
    with tally as (${tally(sql)}), counted as (
      select count(*) as total, count(*) filter (where published_at is null) as unpublished,
        count(*) filter (where fanned_out_at is null) as unfanned
      from events
    )
    select (${events}::int - total)::int as missing_events, unpublished::int as unpublished_events,
      unfanned::int as unfanned_events,
      (${events * endpoints}::int - (select count(*) from tally))::int as missing_deliveries,
      (select count(*)::int from tally where status <> 'succeeded') as not_succeeded,
      (select coalesce(sum(unfinished), 0)::int from tally) as unfinished_attempts,
      (select count(*)::int from tally
        where ${isInconsistent(sql)}) as inconsistent_deliveries
    from counted`;
  if (row === undefined) throw new Error('the database counted nothing');
  return { ...row };
}

/** Examples of deliveries that do not match their attempts, for the investigation. */
export async function inconsistentExamples(sql: Database): Promise<Record<string, unknown>[]> {
  return await sql`
    with tally as (${tally(sql)})
    select id, status, attempt_count, (
      select coalesce(jsonb_agg(jsonb_build_object('number', attempt_number, 'startedAt', started_at,
        'finishedAt', finished_at, 'succeeded', succeeded, 'errorCode', error_code) order by attempt_number), '[]')
      from webhook_attempts where delivery_id = tally.id) as attempts
    from tally where ${isInconsistent(sql)} order by id limit ${EXAMPLES_MAX}`;
}

/** SQL: each delivery with a summary of its attempts. */
function tally(sql: Database) {
  return sql`
      select delivery.id, delivery.status, delivery.attempt_count, count(attempt.delivery_id) as attempts,
        coalesce(max(attempt.attempt_number), 0) as last_number,
        coalesce(bool_or(attempt.succeeded), false) as has_success,
        count(*) filter (where attempt.delivery_id is not null and attempt.finished_at is null) as unfinished
      from webhook_deliveries as delivery left join webhook_attempts as attempt on attempt.delivery_id = delivery.id
      group by delivery.id`;
}

/** SQL: a delivery of the tally whose count, numbers or success do not match its attempts. */
function isInconsistent(sql: Database) {
  return sql`
    attempts <> attempt_count or last_number <> attempt_count or (status = 'succeeded') <> has_success`;
}

/** Attempts whose relay died before it knew the outcome: each may be a duplicate for its subscriber. */
export async function unknownOutcomes(sql: Database): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from webhook_attempts where error_code = 'outcome_unknown'`;
  return row?.count ?? 0;
}
