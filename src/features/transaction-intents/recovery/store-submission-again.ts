import type { Database } from '../../../db/client.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type IntentRow, toIntentEvent } from '../record.ts';
import { storeSubmissions } from '../submission/store-submissions.ts';

/**
 * Stores again the submission that the chain proves, with its event; the worker then ends the intent by what
 * the nodes say. An intent that expired meanwhile is opened again: the only exception to the transitions
 * (contract/intents#after-a-loss). False when the intent has changed since it was read.
 */
export function restoreSubmission(
  db: Database,
  { intent, signed }: { intent: IntentRow; signed: Uint8Array },
  { outbox, clock }: { outbox: Outbox; clock: Clock },
): Promise<boolean> {
  return db.begin(async (transaction) => {
    const { id, status, version } = intent;
    const unchanged = await transaction`
      select from transaction_intents
      where id = ${id} and status = ${status} and version = ${version} and signed_transaction is null for update`;
    if (unchanged.count === 0) return false;
    if (status === 'expired')
      await transaction`
        update transaction_intents set status = 'prepared', completed_at = null, version = version + 1 where id = ${id}`;
    const submittedAt = clock.now();
    const submitted: IntentRow = {
      ...intent,
      status: 'submitted',
      version: version + (status === 'expired' ? 2 : 1),
      signedTransaction: signed,
      submittedAt,
      completedAt: null,
    };
    const event = outbox.compose({
      name: 'transaction_intent.submitted',
      subject: id,
      accountId: intent.accountId,
      data: toIntentEvent(submitted),
      time: submittedAt,
    });
    const [isStored] = await storeSubmissions(transaction, [{ submitted, event, record: null }]);
    if (isStored !== true) throw new Error(`the account of intent ${id} is in use: run the command again`);
    return true;
  });
}
