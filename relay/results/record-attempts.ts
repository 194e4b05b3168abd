import type { Database, Queryable } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import { GatheringQueue } from '../../src/shared/gathering-queue.ts';
import type { Logger } from '../../src/shared/log.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { statusesBefore } from '../model/delivery-transitions.ts';
import { retryUntilAborted } from '../model/retry-until-aborted.ts';
import { insertAttempts, resultColumns, resultRow, rowsParameter, withoutRefused } from './attempt-rows.ts';
import { type WriteOutcome, writeWithConsequences } from './endpoint-consequences.ts';
import { noteHealth } from './endpoint-health.ts';

const BATCH_MAX = 200;
/** Nobody waits for a result. This pause halves the number of statements that write them. */
const GATHER_MS = 8;

interface RecordingDependencies {
  sql: Database;
  outbox: Outbox;
  /** Aborts when the process must end: deliveries without a result are sent again after their lease. */
  giveUp: AbortSignal;
  log: Logger;
}

/** The outcome of a result is true once it is committed, and false if it came too late to decide its delivery. */
export type RecordingQueue = GatheringQueue<AttemptResult, boolean>;

/** Writes results together. Without a database they wait here, and while too many wait, nothing more is claimed. */
export function createRecordingQueue({ sql, outbox, giveUp, log }: RecordingDependencies): RecordingQueue {
  return new GatheringQueue({
    batchMax: BATCH_MAX,
    writersMax: 1,
    gatherMs: GATHER_MS,
    async write(results) {
      const recorded = await retryUntilAborted(
        () => recordResults(sql, outbox, results),
        (err, retryInMs) => log.error({ err, results: results.length, retryInMs }, 'results.not_written'),
        giveUp,
      );
      for (const endpointId of recorded?.disabledEndpointIds ?? [])
        log.warn({ endpointId, reason: 'gone' }, 'endpoint.disabled');
      return results.map(({ claim }) => recorded?.decidedIds.has(claim.deliveryId) ?? false);
    },
  });
}

/**
 * Writes finished attempts with all their consequences, atomically: attempts, deliveries, pauses and disabled
 * endpoints. It is safe to repeat when nobody knows whether a commit succeeded. The attempt number fences: a result
 * that arrives after another relay claimed the delivery again still completes its attempt row, and changes nothing
 * else.
 */
export async function recordResults(
  sql: Database,
  outbox: Outbox,
  results: readonly AttemptResult[],
): Promise<WriteOutcome> {
  return await writeWithConsequences(sql, outbox, results, (queryable) => writeResults(queryable, results));
}

/** Writes every attempt, and the status of the deliveries that still belong to this relay. Returns the ids of these. */
async function writeResults(sql: Queryable, results: readonly AttemptResult[]): Promise<Set<string>> {
  const nowMs = performance.now();
  const rows = results.map((result) => resultRow(result, nowMs));
  const refused = await sql<{ id: string }[]>`
    with result as materialized (
      select * from json_to_recordset(${rowsParameter(sql, rows)}) as result(${resultColumns(sql)})
    ), finished as (
      ${insertAttempts(sql)}
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
    )${noteHealth(sql, results)}
    select delivery_id as id from result where delivery_id not in (select id from updated)`;
  return withoutRefused(
    results.map(({ claim }) => claim.deliveryId),
    refused,
  );
}
