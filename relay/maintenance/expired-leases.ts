import type { Database } from '../../src/db/client.ts';
import { statusAfter, statusesBefore } from '../model/delivery-transitions.ts';

const ROWS_PER_STEP = 500;

/**
 * Releases the deliveries of relays that were killed between claim and result. The attempt ends with its
 * outcome unknown (`succeeded` null, `outcome_unknown`), and the delivery is due at once. It keeps its place
 * in the schedule and its last error, because the subscriber is not at fault. A subscriber that did receive
 * the request receives the same `webhook-id` again (at least once). Returns the number of deliveries.
 */
export async function expireLeases(sql: Database): Promise<number> {
  const expired = await sql`
    with expired as (
      select id, updated_at as claimed_at from webhook_deliveries
      where status in ${statusesBefore(sql, 'leaseExpired')} and lease_expires_at < now()
      order by lease_expires_at limit ${ROWS_PER_STEP}
      for update skip locked
    ), released as (
      update webhook_deliveries as delivery set
        status = ${statusAfter(sql, 'leaseExpired')}, next_attempt_at = now(), lease_expires_at = null, updated_at = now()
      from expired where delivery.id = expired.id
      returning delivery.id, delivery.attempt_count, expired.claimed_at
    ), ended as (
      insert into webhook_attempts
        (delivery_id, attempt_number, started_at, finished_at, error_code, error_detail)
      select id, attempt_count, claimed_at, now(), 'outcome_unknown',
        'the relay that claimed it wrote no result before its lease ended'
      from released
      on conflict (delivery_id, attempt_number) do nothing
    )
    select from released`;
  return expired.count;
}
