import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database, Queryable } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import { GatheringQueue } from '../../src/shared/gathering-queue.ts';
import type { Logger } from '../../src/shared/log.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { statusAfter } from '../model/delivery-transitions.ts';
import { retryUntilAborted } from '../model/retry-until-aborted.ts';
import {
  insertAttempts,
  type Row,
  resultColumns,
  resultRow,
  rowsParameter,
  withoutRefused,
} from '../results/attempt-rows.ts';
import { type WriteOutcome, writeWithConsequences } from '../results/endpoint-consequences.ts';
import { noteHealth } from '../results/endpoint-health.ts';
import type { EventProgress, NewDelivery } from './events-in-progress.ts';
import { markComplete } from './mark-events.ts';

/** A row to write: `queued` waits for a claim, `sent` is in flight, `answered` has ended. */
export type NewRow = { delivery: NewDelivery } & (
  | { state: 'queued' | 'sent' }
  | { state: 'answered'; result: AttemptResult }
);

/** Most rows of one statement. */
const BATCH_MAX = 256;
/** An attempt's slot is free while its row waits. */
const GATHER_MS = 10;
const FULL_WRITERS_MAX = 3;

export interface WriteQueueOptions {
  sql: Database;
  outbox: Outbox;
  leaseMs: number;
  onWritten(outcome: WriteOutcome, rows: readonly NewRow[]): void;
  /** All rows of an event are committed; `isMarked`: so is its mark. */
  onComplete(progress: EventProgress, isMarked: boolean): void;
  /** Aborts when the process must end: rows that are not written by then are left to the leases of their events. */
  giveUp: AbortSignal;
  log: Logger;
}

/**
 * Writes the rows of deliveries together. Without a database they wait here, and while too many wait, no attempt is
 * started. The outcome of a row is true once it is committed, and false if it was not inserted.
 */
export function createWriteQueue({
  sql,
  outbox,
  leaseMs,
  onWritten,
  onComplete,
  giveUp,
  log,
}: WriteQueueOptions): GatheringQueue<NewRow, boolean> {
  return new GatheringQueue({
    batchMax: BATCH_MAX,
    writersMax: 1,
    fullWritersMax: FULL_WRITERS_MAX,
    gatherMs: GATHER_MS,
    async write(rows) {
      const counts = countByEvent(rows);
      const complete = [...counts].flatMap(([progress, count]) =>
        progress.isCompleteWith(count) ? [progress] : [],
      );
      const outcome = await retryUntilAborted(
        () => writeDeliveries(sql, outbox, rows, { leaseMs, complete }),
        (err, retryInMs) => log.error({ err, deliveries: rows.length, retryInMs }, 'deliveries.not_written'),
        giveUp,
      );
      if (outcome === null) {
        for (const progress of counts.keys()) progress.finish(false);
        return rows.map(() => false);
      }
      for (const { delivery } of rows)
        delivery.progress.countRow(delivery.endpointId, outcome.decidedIds.has(delivery.deliveryId));
      onWritten(outcome, rows);
      const marked = new Set(complete);
      for (const progress of counts.keys())
        if (progress.isCompleteWith(0)) onComplete(progress, marked.has(progress));
      return rows.map(({ delivery }) => outcome.decidedIds.has(delivery.deliveryId));
    },
  });
}

function countByEvent(rows: readonly NewRow[]): Map<EventProgress, number> {
  const counts = new Map<EventProgress, number>();
  for (const { delivery } of rows) counts.set(delivery.progress, (counts.get(delivery.progress) ?? 0) + 1);
  return counts;
}

interface WriteOptions {
  leaseMs: number;
  /** Events whose last rows these are. */
  complete: readonly EventProgress[];
}

/**
 * Inserts the rows of deliveries, with the attempts that have ended and all their consequences, and marks the events
 * whose last rows these are: atomically, and most often in one statement. It is safe to repeat when nobody knows
 * whether a commit succeeded, because a delivery keeps its id. The commit waits for the disk only if it changes an
 * endpoint. A crash of the database may take back any other commit. The mark of an event therefore checks that the
 * rows of earlier statements are still there. If one is lost, the event is delivered again.
 */
export async function writeDeliveries(
  sql: Database,
  outbox: Outbox,
  rows: readonly NewRow[],
  { leaseMs, complete }: WriteOptions,
): Promise<WriteOutcome> {
  const results = rows.flatMap((row) => (row.state === 'answered' ? [row.result] : []));
  return await writeWithConsequences(sql, outbox, results, (queryable, isFlushed) =>
    insertRows(queryable, rows, results, { leaseMs, complete, isFlushed }),
  );
}

async function insertRows(
  sql: Queryable,
  rows: readonly NewRow[],
  results: readonly AttemptResult[],
  { leaseMs, complete, isFlushed }: WriteOptions & { isFlushed: boolean },
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
        -- For a delivery in flight, the start of its attempt (maintenance/sweep.ts).
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
      ${markComplete(sql, complete)}
    )${noteHealth(sql, results)}
    select delivery_id as id from result where delivery_id not in (select id from inserted)`;
  return withoutRefused(
    rows.map(({ delivery }) => delivery.deliveryId),
    refused,
  );
}

/** Times are given as ages, so that only the database's clock counts. */
function rowOf(row: NewRow, nowMs: number): Row {
  const { progress, endpointId, deliveryId, queuedAtMs, startedAtMs } = row.delivery;
  return {
    delivery_id: deliveryId,
    endpoint_id: endpointId,
    event_id: progress.event.id,
    event_type: progress.event.type,
    state: row.state,
    queued_ms: nowMs - queuedAtMs,
    ...(startedAtMs === null ? {} : { started_ms: nowMs - startedAtMs }),
    ...(row.state === 'sent' ? { attempt_number: 1 } : {}),
    ...(row.state === 'answered' ? resultRow(row.result, nowMs) : {}),
  };
}
