import type { Database } from '../../../db/client.ts';
import { rowById } from '../../../db/row-look-up.ts';
import { firstDue } from './first-due.ts';
import type { VerifiedSubmission } from './store-submission.ts';

/**
 * Stores several submissions in one statement, each as `storeSubmission` does: one that fails a check is left out, and the others are
 * stored. They must be of different intents and under different keys. What another transaction holds, the intent or its account, is left
 * out: this waits for no lock of a row, so one fails no other by waiting for too long, and it cannot be part of a deadlock. Returns the ids of the intents that are submitted now; when it
 * throws, none is, unless the connection was lost.
 */
export async function storeSubmissions(
  database: Database,
  submissions: readonly VerifiedSubmission[],
): Promise<ReadonlySet<string>> {
  const intents = submissions.map(({ submitted }) => submitted);
  const events = submissions.map(({ event }) => event);
  const records = submissions.map(({ record }) => record);
  const rows = await database<{ id: string }[]>`
    with given as materialized (
      select * from unnest(
        ${intents.map(({ id }) => id)}::uuid[], ${intents.map(({ accountId }) => accountId)}::uuid[],
        ${intents.map(({ version }) => String(version - 1))}::int[],
        ${intents.map(({ signedTransaction }) => hex(signedTransaction))}::text[],
        ${intents.map(({ submittedAt }) => submittedAt?.toISOString() ?? null)}::text[],
        ${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[],
        ${events.map(({ body }) => body)}::text[], ${events.map(({ traceparent }) => traceparent)}::text[],
        ${records.map(({ lockId }) => lockId)}::bigint[], ${records.map(({ key }) => key)}::text[],
        ${records.map(({ fingerprint }) => hex(fingerprint))}::text[],
        ${records.map(({ status }) => String(status))}::int[],
        ${records.map(({ headers }) => JSON.stringify(headers))}::text[],
        ${records.map(({ body }) => hex(body))}::text[],
        ${records.map(({ retentionMs }) => String(retentionMs))}::bigint[]
      ) as g (id, account_id, version, signed, submitted_at, event_id, type, event, traceparent, lock_id, key, fingerprint,
        response_status, headers, response, retention_ms)
    ), guarded as materialized (
      select * from given where pg_try_advisory_xact_lock(lock_id)
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
      from open o where ${rowById(database, database`i.id`, database`o.id`)}
      returning i.submitted_at, o.id, o.account_id, o.event_id, o.type, o.event, o.traceparent, o.key, o.fingerprint,
        o.response_status, o.headers, o.response, o.retention_ms
    ), queued as (
      insert into intent_broadcasts (intent_id, send_count, next_send_at, created_at, traceparent)
      select id, 1, ${firstDue(database, database`submitted_at`)}, submitted_at, traceparent from accepted
    ), recorded as (
      insert into events (id, type, subject, account_id, body, created_at, traceparent)
      select event_id, type, id::text, account_id, event, submitted_at, traceparent from accepted order by event_id
    ), responded as (
      insert into idempotency_records
        (account_id, key, fingerprint, response_status, response_headers, response_body, sealed, created_at, expires_at)
      select account_id, key, decode(fingerprint, 'hex'), response_status, headers::jsonb, decode(response, 'hex'), false,
        submitted_at, submitted_at + retention_ms * interval '1 millisecond'
      from accepted
    )
    select id from accepted`;
  return new Set(rows.map(({ id }) => id));
}

/** Lists of bytes are unknown to the driver. */
function hex(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
