import type { Database } from '../../../db/client.ts';
import {
  hasNoStoredResponse,
  isAccepted,
  type ResponseRecord,
  storeResponse,
  tryIdempotencyLock,
} from '../../../db/idempotency-record.ts';
import { isOwnedBy } from '../../../db/row-look-up.ts';
import type { ComposedEvent } from '../../../outbox/append.ts';
import type { IntentRow } from '../record.ts';
import { firstDue } from './first-due.ts';

/** A verified submission with everything that is stored of it. */
export interface VerifiedSubmission {
  /** The intent as it is once submitted. */
  submitted: IntentRow;
  event: ComposedEvent;
  record: ResponseRecord;
}

/**
 * One statement is one transaction. The job counts the first send before it is made: killed in between, the process
 * leaves nothing behind that seems never to have been sent. The lock refuses a concurrent duplicate; one that has committed is
 * found by the key, by the intent's status, or, at the very last, by the primary key of the records. What the update
 * knows is taken from its row: each parameter costs a microsecond. False when nothing was stored.
 */
export function storeSubmission(
  database: Database,
  { submitted, event, record }: VerifiedSubmission,
): Promise<boolean> {
  const { id, accountId, version, signedTransaction, submittedAt } = submitted;
  return isAccepted(database`
    with guard as materialized (${tryIdempotencyLock(database, record)}),
    accepted as (
      update transaction_intents as intent
      set status = 'submitted', version = intent.version + 1, signed_transaction = ${signedTransaction},
        submitted_at = ${submittedAt}
      from guard
      where guard.acquired and intent.id = ${id} and ${isOwnedBy(database, database`intent.account_id`, accountId)}
        and intent.status is not distinct from 'prepared' and intent.version = ${version - 1}
        and ${hasNoStoredResponse(database, database`${accountId}::uuid`, record)}
      returning intent.id, intent.account_id, intent.submitted_at, ${event.traceparent} as traceparent
    ), queued as (
      insert into intent_broadcasts (intent_id, send_count, next_send_at, created_at, traceparent)
      select id, 1, ${firstDue(database, database`submitted_at`)}, submitted_at, traceparent from accepted
    ), recorded as (
      insert into events (id, type, subject, account_id, body, created_at, traceparent)
      select ${event.id}::uuid, ${event.type}, id::text, account_id, ${event.body}, submitted_at, traceparent
      from accepted
    ), responded as (${storeResponse(database, record)})
    select from accepted`);
}
