import type { Queryable } from '../../../db/client.ts';
import { isDuplicateRecord, type ResponseRecord } from '../../../db/idempotency-record.ts';
import { rowById } from '../../../db/row-look-up.ts';
import type { ComposedEvent } from '../../../outbox/append.ts';
import type { IntentRow } from '../record.ts';
import { firstDue } from './first-due.ts';

/** A verified submission with everything that is stored with it. */
export interface VerifiedSubmission {
  /** The intent after its submission. */
  submitted: IntentRow;
  event: ComposedEvent;
  /** Null when the caller's transaction holds the key and stores the response. */
  record: ResponseRecord | null;
}

/**
 * Stores submissions of different intents under different keys in one statement, which is one transaction:
 * state, version, broadcast job, event and response. Leaves out a submission that fails a check, and one
 * whose key, intent or account another transaction holds. The statement waits for no row, so it cannot
 * deadlock or delay other submissions. The job counts the first send before it is made, so that a process
 * which is killed in between never leaves a sent transaction that seems unsent. A duplicate is refused by the
 * lock of its key while the first attempt runs, and afterwards by its key, the status of its intent, or the
 * primary key of the records. Returns for each submission, in their order, whether it was stored. When it
 * throws, none was stored, unless the connection was lost.
 */
export async function storeSubmissions(
  db: Queryable,
  submissions: readonly VerifiedSubmission[],
): Promise<boolean[]> {
  const statement = db<{ id: string }[]>`
    with given (id, account_id, version, signed, submitted_at, event_id, type, event, traceparent, lock_id, key, fingerprint,
      response_status, headers, response, retention_ms) as materialized (
      values (null::uuid, null::uuid, null::int, null::bytea, null::timestamptz, null::uuid, null, null, null, null::bigint,
        null, null::bytea, null::int, null::jsonb, null::bytea, null::bigint)${givenRows(db, submissions)}
    ), guarded as materialized (
      select * from given where lock_id is null or pg_try_advisory_xact_lock(lock_id)
    ), open as materialized (
      select g.* from guarded g, lateral (
        -- Foreign keys would wait for the account.
        select from transaction_intents i join accounts a on ${rowById(db, db`a.id`, db`g.account_id`)}
        where i.id = g.id and i.account_id is not distinct from g.account_id
          and i.status is not distinct from 'prepared' and i.version = g.version
          and not exists (
            select from idempotency_records r where r.account_id = g.account_id and r.key = g.key)
        for update of i skip locked for key share of a skip locked
      ) found
    ), accepted as (
      update transaction_intents i
      set status = 'submitted', version = i.version + 1, signed_transaction = o.signed, submitted_at = o.submitted_at
      from open o where ${rowById(db, db`i.id`, db`o.id`)}
      returning i.submitted_at, o.id, o.account_id, o.event_id, o.type, o.event, o.traceparent, o.key, o.fingerprint,
        o.response_status, o.headers, o.response, o.retention_ms
    ), queued as (
      insert into intent_broadcasts (intent_id, send_count, next_send_at, created_at, traceparent)
      select id, 1, ${firstDue(db, db`submitted_at`)}, submitted_at, traceparent from accepted
    ), recorded as (
      insert into events (id, type, subject, account_id, body, created_at, traceparent)
      select event_id, type, id::text, account_id, event, submitted_at, traceparent from accepted order by event_id
    ), responded as (
      insert into idempotency_records
        (account_id, key, fingerprint, response_status, response_headers, response_body, sealed, created_at, expires_at)
      select account_id, key, fingerprint, response_status, headers, response, false,
        submitted_at, submitted_at + retention_ms * interval '1 millisecond'
      from accepted where key is not null
    )
    select id from accepted`;
  try {
    const stored = new Set((await statement).map(({ id }) => id));
    return submissions.map(({ submitted }) => stored.has(submitted.id));
  } catch (error) {
    if (submissions.length === 1 && isDuplicateRecord(error)) return [false];
    throw error;
  }
}

const noRecord = {
  lockId: null,
  key: null,
  fingerprint: null,
  status: null,
  headers: null,
  body: null,
  retentionMs: null,
};

/**
 * A row of parameters for each submission; arrays took 0.07 ms longer. Empty rows fill up to a power of two,
 * so that few statements are planned.
 */
function givenRows(sql: Queryable, submissions: readonly VerifiedSubmission[]) {
  const rows = submissions.map(({ submitted, event, record }) => {
    const { id, accountId, version, signedTransaction, submittedAt } = submitted;
    const { lockId, key, fingerprint, status, headers, body, retentionMs } = record ?? noRecord;
    return sql`, (${id}, ${accountId}, ${version - 1}, ${signedTransaction}, ${submittedAt}, ${event.id}, ${event.type},
      ${event.body}, ${event.traceparent}, ${lockId}, ${key}, ${fingerprint}, ${status}, ${headers && sql.json(headers)},
      ${body}, ${retentionMs})`;
  });
  const size = 2 ** Math.ceil(Math.log2(rows.length));
  const empty = sql`, (null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)`;
  return [...rows, ...Array.from({ length: size - rows.length }, () => empty)];
}
