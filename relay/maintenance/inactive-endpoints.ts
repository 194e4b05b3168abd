import type { Database } from '../../src/db/client.ts';
import { statusAfter, statusesBefore } from '../model/delivery-transitions.ts';

const ROWS_PER_STEP = 1_000;

/**
 * Ends the open deliveries of disabled and deleted endpoints as `dead_letter`, with `endpoint_disabled` or
 * `endpoint_deleted` (contract/delivery#inactive-endpoints). Attempts in flight finish first. Returns the
 * number of deliveries.
 */
export async function endInactiveDeliveries(sql: Database): Promise<number> {
  const ended = await sql`
    with ended as (
      select delivery.id,
        case when endpoint.deleted_at is null then 'endpoint_disabled' else 'endpoint_deleted' end as code
      from webhook_endpoints as endpoint
      cross join lateral (
        select id from webhook_deliveries
        where endpoint_id = endpoint.id and status in ${statusesBefore(sql, 'endpointInactive')}
        order by next_attempt_at, id limit ${ROWS_PER_STEP}
        for update skip locked
      ) as delivery
      where endpoint.status = 'disabled' or endpoint.deleted_at is not null
      limit ${ROWS_PER_STEP}
    )
    update webhook_deliveries as delivery set
      status = ${statusAfter(sql, 'endpointInactive')}, next_attempt_at = null, last_error_code = ended.code, updated_at = now()
    from ended where delivery.id = ended.id`;
  return ended.count;
}
