import type { Database, Queryable } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { notingHealth } from './endpoint-health.ts';
import { applyToEndpoints, concernsEndpoint } from './endpoint-consequences.ts';
import { usesSchedule } from './retry-schedule.ts';
import { except, type Row, rowsParameter } from './rows-parameter.ts';
import { statusesBefore, transitions } from '../model/delivery-transitions.ts';

export interface Recorded {
  /** Deliveries whose status these results decided; the others belonged to another relay by then. */
  decidedIds: ReadonlySet<string>;
  disabledEndpointIds: readonly string[];
}

/**
 * Writes finished attempts with all their consequences, atomically: attempts, deliveries, pauses and disabled
 * endpoints. Safe to repeat when it is unknown whether a commit succeeded. The attempt number fences: a result that
 * arrives after another relay claimed the delivery again still completes its attempt row, and changes nothing else.
 */
export async function recordResults(
  sql: Database,
  outbox: Outbox,
  results: readonly AttemptResult[],
): Promise<Recorded> {
  // The common case touches no endpoint: one statement is a transaction of its own, in one round trip.
  if (!results.some(concernsEndpoint)) {
    return { decidedIds: await writeResults(sql, results), disabledEndpointIds: [] };
  }
  return await sql.begin(async (transaction) => {
    const decidedIds = await writeResults(transaction, results);
    return { decidedIds, disabledEndpointIds: await applyToEndpoints(transaction, outbox, results, decidedIds) };
  });
}

/** Writes every attempt, and the status of the deliveries that this relay still holds; returns the ids of these. */
async function writeResults(sql: Queryable, results: readonly AttemptResult[]): Promise<Set<string>> {
  const nowMs = performance.now();
  const rows = results.map((result) => outcomeRow(result, nowMs));
  const refused = await sql<{ id: string }[]>`
    with result as materialized (
      select * from json_to_recordset(${rowsParameter(sql, rows)}) as result(
        delivery_id uuid, attempt_number int, started_ms float8, ended_ms float8, status text,
        schedule_index int, delay_ms float8, succeeded boolean, error_code text, error_reason text, error_detail text,
        response_status int, resolved_address text, redirect_count int, hop_origin text, dns_ms int, connect_ms int,
        tls_ms int, first_byte_ms int, total_ms int, response_body text)
    ), finished as (
      insert into webhook_attempts as attempt (delivery_id, attempt_number, started_at, finished_at, succeeded,
        error_code, error_reason, error_detail, response_status, resolved_address, redirect_count, hop_origin, dns_ms,
        connect_ms, tls_ms, first_byte_ms, total_ms, response_body)
      select delivery_id, attempt_number, now() - started_ms * interval '1 millisecond',
        now() - ended_ms * interval '1 millisecond', succeeded, error_code, error_reason, error_detail, response_status,
        resolved_address, redirect_count, hop_origin, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms,
        decode(response_body, 'base64')
      from result
      where exists (select from webhook_deliveries as delivery where delivery.id = result.delivery_id)
      -- The lease expired meanwhile, or an earlier try of this write was committed after all.
      on conflict (delivery_id, attempt_number) do update set
        finished_at = greatest(attempt.started_at, excluded.finished_at), succeeded = excluded.succeeded,
        error_code = excluded.error_code, error_reason = excluded.error_reason, hop_origin = excluded.hop_origin,
        error_detail = excluded.error_detail, response_status = excluded.response_status,
        resolved_address = excluded.resolved_address, redirect_count = excluded.redirect_count,
        dns_ms = excluded.dns_ms, connect_ms = excluded.connect_ms, tls_ms = excluded.tls_ms,
        first_byte_ms = excluded.first_byte_ms, total_ms = excluded.total_ms,
        response_body = excluded.response_body
      -- Two relays make one attempt when a claim was lost with the database: a success is never overwritten.
      where attempt.succeeded is distinct from true
    ), updated as (
      update webhook_deliveries as delivery set
        status = result.status, schedule_index = result.schedule_index, lease_expires_at = null,
        next_attempt_at = now() + result.delay_ms * interval '1 millisecond',
        last_error_code = result.error_code, response_status = result.response_status,
        delivered_at = case when result.status = 'succeeded' then now() else delivery.delivered_at end,
        updated_at = now()
      from result
      where delivery.id = result.delivery_id and delivery.attempt_count = result.attempt_number
        and delivery.status in ${statusesBefore(sql, 'failed')}
      returning delivery.id
    )${notingHealth(sql, results)}
    select delivery_id as id from result where delivery_id not in (select id from updated)`;
  return except(results.map(({ claim }) => claim.deliveryId), refused);
}

/**
 * The columns of a finished attempt, as `json_to_recordset` takes them: what is null is left out. Start and end are ages by one monotonic
 * clock, so that no attempt ends before it starts, and the database's clock alone says when that was.
 */
export function outcomeRow(
  { claim, verdict, errorDetail, trace, step, startedAtMs, endedAtMs }: AttemptResult,
  nowMs: number,
): Row {
  return withoutNulls({
    delivery_id: claim.deliveryId,
    attempt_number: claim.attemptNumber,
    status: transitions[step.transition].to,
    started_ms: nowMs - startedAtMs,
    ended_ms: nowMs - endedAtMs,
    schedule_index: usesSchedule(verdict) ? claim.scheduleIndex + 1 : claim.scheduleIndex,
    delay_ms: step.transition === 'failed' ? step.delayMs : null,
    succeeded: verdict.succeeded,
    error_code: verdict.errorCode,
    error_reason: verdict.errorReason,
    error_detail: errorDetail,
    response_status: verdict.responseStatus,
    resolved_address: trace.resolvedAddress,
    redirect_count: trace.redirectCount,
    hop_origin: verdict.succeeded ? null : trace.hopOrigin,
    dns_ms: trace.dnsMs,
    connect_ms: trace.connectMs,
    tls_ms: trace.tlsMs,
    first_byte_ms: trace.firstByteMs,
    total_ms: trace.totalMs,
    response_body: trace.bodyStart === null ? null : Buffer.from(trace.bodyStart).toString('base64'),
  });
}

/** Half of the columns of a success are null. */
function withoutNulls(columns: Record<string, string | number | boolean | null>): Row {
  const row: Row = {};
  for (const name in columns) {
    const value = columns[name];
    if (value !== null && value !== undefined) row[name] = value;
  }
  return row;
}
