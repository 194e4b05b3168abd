import type { Database } from '../../src/db/client.ts';

/**
 * Work that has not ended: intents that are submitted, or prepared beyond their time; landings that may still become
 * final; operations; events without publication or fan-out; and deliveries.
 */
export async function openWork(sql: Database): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select 'intent ' || status || ' ' || id as name from transaction_intents
      where status = 'submitted' or (status = 'prepared' and expires_at < now() - interval '10 seconds')
    union all
    select 'landing not final ' || intent_id from intent_landings
      where finality = 'confirmed'
    union all
    select 'operation ' || status || ' ' || id from operations where status not in ('succeeded', 'failed', 'cancelled')
    union all
    select 'event unpublished ' || event_id from events_to_publish
    union all
    select 'event without fan-out ' || event_id from events_to_fan_out
    union all
    select 'delivery ' || delivery.status || ' ' || delivery.id from webhook_deliveries as delivery
      join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id and endpoint.status = 'enabled'
        and endpoint.deleted_at is null
      where delivery.status in ('pending', 'processing', 'retrying')`;
  return rows.map(({ name }) => name);
}
