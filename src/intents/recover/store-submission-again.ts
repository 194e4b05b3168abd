import type { Queryable } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import { insertEvent } from '../../outbox/event-rows.ts';
import type { Clock } from '../../shared/clock.ts';
import { type IntentRow, toIntentEvent } from '../row.ts';
import { RESEND_MAX_MS } from '../send/resend-interval.ts';
import { insertBroadcasts } from '../submit/insert-broadcasts.ts';

/**
 * Stores again the submission that the chain proves, with its event; the worker then ends the intent by what
 * the nodes say. An intent that expired meanwhile is opened again: the only exception to the transitions
 * (contract/intents#after-a-loss). False when the intent has changed since it was read, so one of several
 * callers wins.
 */
export async function restoreSubmission(
  db: Queryable,
  { intent, signed }: { intent: IntentRow; signed: Uint8Array },
  { outbox, clock }: { outbox: Outbox; clock: Clock },
): Promise<boolean> {
  const { id, accountId, status, version } = intent;
  const submittedAt = clock.now();
  const nextSendAt = new Date(submittedAt.getTime() + RESEND_MAX_MS);
  const submitted: IntentRow = {
    ...intent,
    status: 'submitted',
    version: version + 1,
    signedTransaction: signed,
    submittedAt,
    completedAt: null,
  };
  const event = outbox.compose({
    name: 'transaction_intent.submitted',
    subject: id,
    accountId,
    data: toIntentEvent(submitted),
    time: submittedAt,
  });
  const stored = await db`
    with submitted as (
      update transaction_intents set status = 'submitted', version = version + 1, signed_transaction = ${signed},
        submitted_at = ${submittedAt}, completed_at = null
      where id = ${id} and status = ${status} and version = ${version} and signed_transaction is null
      returning id, submitted_at, ${nextSendAt}::timestamptz as next_send_at,
        ${event.traceparent}::text as traceparent
    ), queued as (${db.unsafe(insertBroadcasts('submitted'))})
    ${insertEvent(db, event, db`from submitted`)}`;
  if (stored.count > 0) outbox.hint(event);
  return stored.count > 0;
}
