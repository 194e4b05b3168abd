import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database, Queryable } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { statusAfter } from '../model/delivery-transitions.ts';
import { applyToEndpoints, concernsEndpoint } from '../results/endpoint-consequences.ts';
import { notingHealth } from '../results/endpoint-health.ts';
import { outcomeRow } from '../results/record-attempts.ts';
import { except, type Row, rowsParameter } from '../results/rows-parameter.ts';
import type { FirstAttempt } from './held-event.ts';

/** A delivery that gets its row: it waits for a claim, is in flight, or its first attempt has ended. */
export type NewRow = { first: FirstAttempt } & (
  | { state: 'queued' | 'sent' }
  | { state: 'answered'; result: AttemptResult }
);

export interface WrittenRows {
  /** Deliveries whose row was inserted; of the others another relay's row exists, or the endpoint's is gone. */
  insertedIds: ReadonlySet<string>;
  disabledEndpointIds: readonly string[];
}

/**
 * Inserts the rows of deliveries, with the attempts of those that have ended and all their consequences, and marks the
 * events whose last rows these are: atomically, and most often in one statement. Safe to repeat when it is unknown whether a
 * commit succeeded: a delivery has the same id again. What concerns no endpoint is not waited for on the disk: lost with the
 * database, it is lost together with the mark of its event, which is then delivered again.
 */
export async function writeDeliveries(
  sql: Database,
  outbox: Outbox,
  rows: readonly NewRow[],
  { leaseMs, doneEventIds }: { leaseMs: number; doneEventIds: readonly string[] },
): Promise<WrittenRows> {
  const results = rows.flatMap((row) => (row.state === 'answered' ? [row.result] : []));
  if (!results.some(concernsEndpoint)) {
    const writes = { leaseMs, doneEventIds, isFlushed: false };
    return { insertedIds: await insertRows(sql, rows, writes), disabledEndpointIds: [] };
  }
  return await sql.begin(async (transaction) => {
    const insertedIds = await insertRows(transaction, rows, { leaseMs, doneEventIds, isFlushed: true });
    return {
      insertedIds,
      disabledEndpointIds: await applyToEndpoints(transaction, outbox, results, insertedIds),
    };
  });
}

async function insertRows(
  sql: Queryable,
  rows: readonly NewRow[],
  {
    leaseMs,
    doneEventIds,
    isFlushed,
  }: { leaseMs: number; doneEventIds: readonly string[]; isFlushed: boolean },
): Promise<Set<string>> {
  const nowMs = performance.now();
  const results = rows.flatMap((row) => (row.state === 'answered' ? [row.result] : []));
  const parameter = rowsParameter(
    sql,
    rows.map((row) => rowOf(row, nowMs)),
  );
  const refused = await sql<{ id: string }[]>`
    with result as materialized (
      select * from json_to_recordset(${parameter}) as result(
        delivery_id uuid, endpoint_id uuid, event_id uuid, event_type text, state text, queued_ms float8,
        started_ms float8, ended_ms float8, attempt_number int, status text, schedule_index int, delay_ms float8,
        succeeded boolean, error_code text, error_reason text, error_detail text, response_status int,
        resolved_address text, redirect_count int, hop_origin text, dns_ms int, connect_ms int, tls_ms int, first_byte_ms int, total_ms int, response_body text)
      where ${isFlushed ? sql`true` : asynchronousCommit(sql)}
    ), inserted as (
      insert into webhook_deliveries as delivery (id, endpoint_id, event_id, event_type, status, attempt_count,
        schedule_index, next_attempt_at, lease_expires_at, last_error_code, response_status, delivered_at, created_at,
        updated_at)
      select delivery_id, endpoint_id, event_id, event_type,
        case state when 'queued' then ${statusAfter(sql, 'created')} when 'sent' then
          ${statusAfter(sql, 'createdAndClaimed')} else status end,
        coalesce(attempt_number, 0), coalesce(schedule_index, 0),
        case when state = 'queued' then now() else now() + delay_ms * interval '1 millisecond' end,
        case when state = 'sent' then now() + ${leaseMs} * interval '1 millisecond' end,
        error_code, response_status, case when succeeded then now() end,
        now() - queued_ms * interval '1 millisecond',
        -- Of a delivery in flight it is when the attempt began (maintenance/expired-leases.ts).
        case when state = 'sent' then now() - started_ms * interval '1 millisecond' else now() end
      from result
      where exists (select from webhook_endpoints as endpoint where endpoint.id = result.endpoint_id)
      -- Every relay inserts in this order, so that two of them cannot deadlock.
      order by endpoint_id, event_id
      -- Its own row, when an earlier try of this write was committed after all; another relay's has another id.
      on conflict (event_id, endpoint_id) do update set updated_at = delivery.updated_at
        where delivery.id = excluded.id
      returning id
    ), attempted as (
      insert into webhook_attempts (delivery_id, attempt_number, started_at, finished_at, succeeded, error_code,
        error_reason, error_detail, response_status, resolved_address, redirect_count, hop_origin, dns_ms, connect_ms,
        tls_ms, first_byte_ms, total_ms, response_body)
      select delivery_id, attempt_number, now() - started_ms * interval '1 millisecond',
        now() - ended_ms * interval '1 millisecond', succeeded, error_code, error_reason, error_detail, response_status,
        resolved_address, redirect_count, hop_origin, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, decode(response_body, 'base64')
      from result where state = 'answered' and delivery_id in (select id from inserted)
      on conflict (delivery_id, attempt_number) do nothing
    ), marked as (
      update events set fanned_out_at = now() where id = any(${[...doneEventIds]}::uuid[]) and fanned_out_at is null
    )${notingHealth(sql, results)}
    select delivery_id as id from result where delivery_id not in (select id from inserted)`;
  return except(
    rows.map(({ first }) => first.deliveryId),
    refused,
  );
}

/** The start is told by its age, so that the database's clock alone counts. */
function rowOf(row: NewRow, nowMs: number): Row {
  const { event, endpointId, deliveryId, queuedAtMs, startedAtMs } = row.first;
  return {
    delivery_id: deliveryId,
    endpoint_id: endpointId,
    event_id: event.leased.id,
    event_type: event.leased.type,
    state: row.state,
    queued_ms: nowMs - queuedAtMs,
    ...(startedAtMs === null ? {} : { started_ms: nowMs - startedAtMs }),
    ...(row.state === 'sent' ? { attempt_number: 1 } : {}),
    ...(row.state === 'answered' ? outcomeRow(row.result, nowMs) : {}),
  };
}
