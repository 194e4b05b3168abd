import type { Queryable } from '../../src/db/client.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { transitions } from '../model/delivery-transitions.ts';
import { usesSchedule } from './retry-schedule.ts';

/** The columns of a row for `json_to_recordset`. A missing column is null. */
export type Row = Record<string, string | number | boolean>;

/** The type `json` of Postgres. */
const JSON_OID = 114;

/**
 * SQL: rows as the one parameter of `json_to_recordset`. Not `jsonb`: Postgres converts its numbers to decimals and
 * back to text, which takes 3 of the 10 µs that it needs to read the row of a delivery.
 */
export function rowsParameter(sql: Queryable, rows: readonly Row[]) {
  return sql.typed(rows, JSON_OID);
}

/** SQL: the columns of `resultRow`, for `json_to_recordset`. */
export function resultColumns(sql: Queryable) {
  return sql`delivery_id uuid, attempt_number int, started_ms float8, ended_ms float8, status text,
    schedule_index int, delay_ms float8, succeeded boolean, error_code text, error_reason text, error_detail text,
    response_status int, resolved_address text, redirect_count int, hop_origin text, dns_ms int, connect_ms int,
    tls_ms int, first_byte_ms int, total_ms int, response_body text`;
}

/** SQL: inserts the attempts of `result`; the statement up to its `from`. */
export function insertAttempts(sql: Queryable) {
  return sql`insert into webhook_attempts as attempt (delivery_id, attempt_number, started_at, finished_at, succeeded,
      error_code, error_reason, error_detail, response_status, resolved_address, redirect_count, hop_origin, dns_ms,
      connect_ms, tls_ms, first_byte_ms, total_ms, response_body)
    select delivery_id, attempt_number, now() - started_ms * interval '1 millisecond',
      now() - ended_ms * interval '1 millisecond', succeeded, error_code, error_reason, error_detail, response_status,
      resolved_address, redirect_count, hop_origin, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms,
      decode(response_body, 'base64')`;
}

/**
 * A finished attempt, and the next state of its delivery. Start and end are ages by one monotonic clock: no attempt
 * ends before it starts, and only the database's clock gives the times.
 */
export function resultRow(
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

/** Half of the columns of a success are null, and need not be sent. */
function withoutNulls(columns: Record<string, string | number | boolean | null>): Row {
  const row: Row = {};
  for (const name in columns) {
    const value = columns[name];
    if (value !== null && value !== undefined) row[name] = value;
  }
  return row;
}

/** The ids without those that a statement refused. Statements return the refused ids, because these are few. */
export function withoutRefused(ids: readonly string[], refused: readonly { id: string }[]): Set<string> {
  const left = new Set(ids);
  for (const { id } of refused) left.delete(id);
  return left;
}
