import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database, Queryable } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { statusAfter } from '../model/delivery-transitions.ts';
import {
  except,
  insertAttempts,
  type Row,
  resultColumns,
  resultRow,
  rowsParameter,
} from '../results/attempt-rows.ts';
import { type Written, writeWithConsequences } from '../results/endpoint-consequences.ts';
import { notingHealth } from '../results/endpoint-health.ts';
import type { FirstAttempt, HeldEvent } from './held-event.ts';
import { markComplete } from './mark-complete.ts';

/** A row to write: `queued` waits for a claim, `sent` is in flight, `answered` has ended. */
export type NewRow = { first: FirstAttempt } & (
  | { state: 'queued' | 'sent' }
  | { state: 'answered'; result: AttemptResult }
);

/**
 * Inserts the rows of deliveries, with the attempts that have ended and all their consequences, and marks the
 * events whose last rows these are: atomically, and most often in one statement. Safe to repeat when it is
 * unknown whether a commit succeeded: a delivery keeps its id. The commit waits for the disk only where it
 * changes an endpoint. A crash of the database may take back any other commit. An event is marked only while
 * every row of earlier statements is there, so the events of lost rows are delivered again.
 */
export async function writeDeliveries(
  sql: Database,
  outbox: Outbox,
  rows: readonly NewRow[],
  { leaseMs, done }: { leaseMs: number; done: readonly HeldEvent[] },
): Promise<Written> {
  const results = rows.flatMap((row) => (row.state === 'answered' ? [row.result] : []));
  return await writeWithConsequences(sql, outbox, results, (queryable, isFlushed) =>
    insertRows(queryable, rows, results, { leaseMs, done, isFlushed }),
  );
}

async function insertRows(
  sql: Queryable,
  rows: readonly NewRow[],
  results: readonly AttemptResult[],
  { leaseMs, done, isFlushed }: { leaseMs: number; done: readonly HeldEvent[]; isFlushed: boolean },
): Promise<Set<string>> {
  const nowMs = performance.now();
  const parameter = rowsParameter(
    sql,
    rows.map((row) => rowOf(row, nowMs)),
  );
  const refused = await sql<{ id: string }[]>`
    with result as materialized (
      select * from json_to_recordset(${parameter}) as result(
        endpoint_id uuid, event_id uuid, event_type text, state text, queued_ms float8, ${resultColumns(sql)})
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
        -- For a delivery in flight, the start of its attempt (maintenance/expired-leases.ts).
        case when state = 'sent' then now() - started_ms * interval '1 millisecond' else now() end
      from result
      where exists (select from webhook_endpoints as endpoint where endpoint.id = result.endpoint_id)
      -- Every relay inserts in this order, so that two of them cannot deadlock.
      order by endpoint_id, event_id
      -- The same id: an earlier try of this write was committed after all. Another relay's row has another id.
      on conflict (event_id, endpoint_id) do update set updated_at = delivery.updated_at
        where delivery.id = excluded.id
      returning id
    ), attempted as (
      ${insertAttempts(sql)}
      from result where state = 'answered' and delivery_id in (select id from inserted)
      on conflict (delivery_id, attempt_number) do nothing
    ), marked as (
      ${markComplete(sql, done)}
    )${notingHealth(sql, results)}
    select delivery_id as id from result where delivery_id not in (select id from inserted)`;
  return except(
    rows.map(({ first }) => first.deliveryId),
    refused,
  );
}

/** The start is given as an age, so that only the database's clock counts. */
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
    ...(row.state === 'answered' ? resultRow(row.result, nowMs) : {}),
  };
}
