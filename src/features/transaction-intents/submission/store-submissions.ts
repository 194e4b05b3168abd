import type { Queryable } from '../../../db/client.ts';
import { isDuplicateRecord, type ResponseRecord } from '../../../db/idempotency-record.ts';
import { rowById } from '../../../db/row-look-up.ts';
import type { ComposedEvent } from '../../../outbox/append.ts';
import type { IntentRow } from '../record.ts';
import { firstDue } from './first-due.ts';

/** A verified submission with everything that is stored with it. */
export interface VerifiedSubmission {
  /** The intent as it is once submitted. */
  submitted: IntentRow;
  event: ComposedEvent;
  /** Null where the caller's transaction holds the key and stores the response. */
  record: ResponseRecord | null;
}

/**
 * Stores submissions of different intents under different keys in one statement, which is one transaction: state, version,
 * broadcast job, event and response. One that fails a check is left out, and so is one whose key, intent or account
 * another transaction holds: the statement waits for no row, so it is in no deadlock and keeps no other submission waiting.
 *
 * The job counts the first send before it is made: a process that is killed in between leaves no job that seems unsent. A
 * duplicate that is running is refused by the lock of its key, one that has committed by its key, by the status of its
 * intent, or by the primary key of the records.
 *
 * Returns which of them are stored, in their order. When it throws, none is, unless the connection was lost.
 */
export async function storeSubmissions(
  db: Queryable,
  submissions: readonly VerifiedSubmission[],
): Promise<boolean[]> {
  const intents = submissions.map(({ submitted }) => submitted);
  const events = submissions.map(({ event }) => event);
  const records = submissions.map(({ record }) => record);
  const statement = db<{ id: string }[]>`
    with given as materialized (
      select * from unnest(
        ${intents.map(({ id }) => id)}::uuid[], ${intents.map(({ accountId }) => accountId)}::uuid[],
        ${intents.map(({ version }) => String(version - 1))}::int[],
        ${intents.map(({ signedTransaction }) => hex(signedTransaction))}::text[],
        ${intents.map(({ submittedAt }) => submittedAt?.toISOString() ?? null)}::text[],
        ${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[],
        ${events.map(({ body }) => body)}::text[], ${events.map(({ traceparent }) => traceparent)}::text[],
        ${records.map((record) => record?.lockId ?? null)}::bigint[],
        ${records.map((record) => record?.key ?? null)}::text[],
        ${records.map((record) => record && hex(record.fingerprint))}::text[],
        ${records.map((record) => record && String(record.status))}::int[],
        ${records.map((record) => record && JSON.stringify(record.headers))}::text[],
        ${records.map((record) => record && hex(record.body))}::text[],
        ${records.map((record) => record && String(record.retentionMs))}::bigint[]
      ) as g (id, account_id, version, signed, submitted_at, event_id, type, event, traceparent, lock_id, key, fingerprint,
        response_status, headers, response, retention_ms)
    ), guarded as materialized (
      select * from given where lock_id is null or pg_try_advisory_xact_lock(lock_id)
    ), lockable as materialized (
      -- What foreign keys would wait for.
      select a.id from (select distinct account_id as id from guarded order by id) g, lateral (
        select id from accounts where id = g.id for key share skip locked
      ) a
    ), open as materialized (
      select g.* from lockable l join guarded g on g.account_id = l.id, lateral (
        select from transaction_intents i
        where i.id = g.id and i.account_id is not distinct from g.account_id
          and i.status is not distinct from 'prepared' and i.version = g.version
          and not exists (
            select from idempotency_records r where r.account_id = g.account_id and r.key = g.key)
        for update of i skip locked
      ) found
    ), accepted as (
      update transaction_intents i
      set status = 'submitted', version = i.version + 1, signed_transaction = decode(o.signed, 'hex'),
        submitted_at = o.submitted_at::timestamptz
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
      select account_id, key, decode(fingerprint, 'hex'), response_status, headers::jsonb, decode(response, 'hex'), false,
        submitted_at, submitted_at + retention_ms * interval '1 millisecond'
      from accepted where key is not null
    )
    select id from accepted`;
  try {
    const stored = new Set((await statement).map(({ id }) => id));
    return intents.map(({ id }) => stored.has(id));
  } catch (error) {
    if (submissions.length === 1 && isDuplicateRecord(error)) return [false];
    throw error;
  }
}

/** Lists of bytes are unknown to the driver. */
function hex(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
