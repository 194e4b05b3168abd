import type { Queryable } from '../../db/client.ts';
import { isDuplicateRecord, type ResponseRecord } from '../../db/idempotency-record.ts';
import {
  type ComposedEvent,
  carriedColumns,
  carriedValues,
  insertCarriedEvents,
} from '../../outbox/event-rows.ts';
import type { IntentRow } from '../row.ts';
import { insertBroadcasts } from './insert-broadcasts.ts';

/** A verified submission with everything that is stored with it. */
export interface VerifiedSubmission {
  /** The intent after its submission. */
  submitted: IntentRow;
  /** When the worker sends it, after the first send of this process. */
  nextSendAt: Date;
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
  const rows = submissions.flatMap((submission) => rowOf(db, submission));
  // Empty rows fill up to a power of two, so that few statements are planned.
  const size = 2 ** Math.ceil(Math.log2(submissions.length));
  const empty = Array.from({ length: size * COLUMNS.length - rows.length }, () => null);
  const statement = db.unsafe<{ id: string }[]>(textOf(size), [...rows, ...empty], { prepare: true });
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

/** Columns of a row of parameters, which `rowOf` fills in this order. */
const COLUMNS = [
  { name: 'id', type: 'uuid' },
  { name: 'account_id', type: 'uuid' },
  { name: 'version', type: 'int' },
  { name: 'signed', type: 'bytea' },
  { name: 'submitted_at', type: 'timestamptz' },
  { name: 'next_send_at', type: 'timestamptz' },
  ...carriedColumns,
  { name: 'lock_id', type: 'bigint' },
  { name: 'key', type: 'text' },
  { name: 'fingerprint', type: 'bytea' },
  { name: 'response_status', type: 'int' },
  { name: 'headers', type: 'jsonb' },
  { name: 'response', type: 'bytea' },
  { name: 'retention_ms', type: 'bigint' },
];

const namesOf = (columns: typeof COLUMNS) => columns.map(({ name }) => name).join(', ');

function rowOf(sql: Queryable, { submitted, nextSendAt, event, record }: VerifiedSubmission) {
  const { id, accountId, version, signedTransaction, submittedAt } = submitted;
  const { lockId, key, fingerprint, status, headers, body, retentionMs } = record ?? noRecord;
  const ofIntent = [id, accountId, version - 1, signedTransaction, submittedAt, nextSendAt];
  const ofRecord = [lockId, key, fingerprint, status, headers && sql.json(headers), body, retentionMs];
  return [...ofIntent, ...carriedValues(event), ...ofRecord];
}

const texts = new Map<number, string>();

/**
 * The statement for a number of rows. Composed by the driver for each call, it took 0.05 ms longer; rows of
 * parameters are 0.07 ms quicker than arrays.
 */
function textOf(size: number): string {
  const known = texts.get(size);
  if (known !== undefined) return known;
  const rows = Array.from({ length: size }, (_, row) => {
    const first = row * COLUMNS.length + 1;
    return `(${COLUMNS.map(({ type }, at) => `$${first + at}::${type}`).join(', ')})`;
  });
  const text = `
    with given (${namesOf(COLUMNS)}) as materialized (
      values ${rows.join(', ')}
    ), guarded as materialized (
      select * from given where lock_id is null or pg_try_advisory_xact_lock(lock_id)
    ), open as materialized (
      select g.* from guarded g, lateral (
        -- Foreign keys would wait for the account.
        select from transaction_intents i join accounts a on a.id = any(array[g.account_id])
        where i.id = g.id and i.account_id is not distinct from g.account_id
          and i.status is not distinct from 'prepared' and i.version = g.version
          and not exists (
            select from idempotency_records r where r.account_id = g.account_id and r.key = g.key)
        for update of i skip locked for key share of a skip locked
      ) found
    ), accepted as (
      update transaction_intents i
      set status = 'submitted', version = i.version + 1, signed_transaction = o.signed, submitted_at = o.submitted_at
      from open o where i.id = any(array[o.id])
      returning o.*, o.event_traceparent as traceparent
    ), queued as (
      ${insertBroadcasts('accepted')}
    ), recorded as (
      ${insertCarriedEvents('accepted')}
    ), responded as (
      insert into idempotency_records
        (account_id, key, fingerprint, response_status, response_headers, response_body, sealed, created_at, expires_at)
      select account_id, key, fingerprint, response_status, headers, response, false,
        submitted_at, submitted_at + retention_ms * interval '1 millisecond'
      from accepted where key is not null
    )
    select id from accepted`;
  texts.set(size, text);
  return text;
}
