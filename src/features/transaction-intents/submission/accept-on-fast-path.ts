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
import { decodeCanonicalBase64 } from '../../../shared/bytes.ts';
import { isPastWindow } from '../blockhash-window.ts';
import type { IntentFacts } from '../intent-facts.ts';
import { type IntentRow, toIntentEvent } from '../record.ts';
import { firstDue } from './first-due.ts';
import type { Submission, SubmissionDependencies } from './submit-intent.ts';
import { compareWithPrepared, isSignedBy } from './verification.ts';

export interface FastPathDependencies extends SubmissionDependencies {
  database: Database;
  intentFacts: IntentFacts;
}

export interface AcceptedSubmission {
  record: ResponseRecord;
  submitted: IntentRow;
  /** Of the broadcast job. */
  traceparent: string | null;
}

/**
 * Accepts a submission in one statement, one round trip: state, version, broadcast job, event and stored response
 * together. Null, and nothing changed, when any check fails or the key is not new: `submitIntent` then says why.
 */
export async function acceptOnFastPath(
  submission: Submission,
  dependencies: FastPathDependencies,
  respond: (submitted: IntentRow) => ResponseRecord,
): Promise<AcceptedSubmission | null> {
  const { database, intentFacts, outbox, clock } = dependencies;
  const intent = await intentFacts.get(database, submission);
  const signed = intent === null ? null : signedBytes(intent, submission, dependencies);
  if (intent === null || signed === null) return null;
  const submittedAt = clock.now();
  const submitted: IntentRow = {
    ...intent,
    status: 'submitted',
    version: intent.version + 1,
    signedTransaction: signed,
    submittedAt,
  };
  const event = outbox.compose({
    name: 'transaction_intent.submitted',
    subject: intent.id,
    accountId: intent.accountId,
    data: toIntentEvent(submitted),
    time: submittedAt,
  });
  const record = respond(submitted);
  const accepted = await commit(database, submitted, event, record);
  intentFacts.forget(intent.id);
  return accepted ? { record, submitted, traceparent: event.traceparent } : null;
}

/** The bytes to broadcast when everything known in this process speaks for them. */
function signedBytes(
  intent: IntentRow,
  { signedTransaction, pinnedWallet, expectedVersion, bodyVersion = expectedVersion }: Submission,
  dependencies: FastPathDependencies,
): Uint8Array | null {
  const { expectedSigner, signatureOffset, preparedTransaction } = intent;
  const isOpen = intent.expiresAt > dependencies.clock.now() && !isPastWindow(intent, dependencies);
  const isExpected = intent.version === expectedVersion && bodyVersion === expectedVersion;
  if (!isOpen || !isExpected || pinnedWallet !== expectedSigner) return null;
  const submitted = decodeCanonicalBase64(signedTransaction);
  if (submitted === null) return null;
  const comparison = compareWithPrepared(submitted, {
    bytes: preparedTransaction,
    signatureOffset,
    expectedSigner,
  });
  const isSame =
    comparison.outcome === 'same' && isSignedBy(comparison.signed, signatureOffset, expectedSigner);
  return isSame ? comparison.signed : null;
}

/**
 * One statement is one transaction. The job counts the first send before it is made: killed in between, the process
 * leaves nothing behind that seems never to have been sent. The lock refuses a concurrent duplicate; one that has committed is
 * found by the key, by the intent's status, or, at the very last, by the primary key of the records. What the update
 * knows is taken from its row: each parameter costs a microsecond.
 */
function commit(
  database: Database,
  { id, accountId, version, signedTransaction, submittedAt }: IntentRow,
  event: ComposedEvent,
  record: ResponseRecord,
): Promise<boolean> {
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
