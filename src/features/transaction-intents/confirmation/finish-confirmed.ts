import { eventType } from '../../../shared/events/catalogue.ts';
import type { IntentContext } from '../finish-intents.ts';
import { type IntentEventRow, toIntentEvent } from '../record.ts';
import type { SignedIntent } from './landed-reports.ts';

const EVENT = 'transaction_intent.confirmed';

/** An intent that is subscribed to, as it was read then. */
export interface WatchedIntent extends SignedIntent {
  row: IntentEventRow;
  /** W3C trace context of the submission; null without tracing. */
  traceparent: string | null;
}

/**
 * Confirms submitted intents as `finishIntents` does, in one statement: it needs no row that is not known yet, and with
 * a transaction's five round trips a subscriber would wait for each of them. What has changed since it was read is
 * left to polls. Returns how many ended now.
 */
export async function finishConfirmed(
  { db, outbox, clock, onEventsAdded, onIntentsEnded }: IntentContext,
  intents: readonly WatchedIntent[],
): Promise<number> {
  if (intents.length === 0) return 0;
  const now = clock.now();
  const ends = new Map(intents.map((intent) => [intent.intentId, confirmed(intent, now)]));
  const events = intents.map(({ intentId, row, traceparent }) =>
    outbox.compose({
      name: EVENT,
      subject: intentId,
      accountId: row.accountId,
      data: toIntentEvent(ends.get(intentId) ?? row),
      time: now,
      traceparent,
    }),
  );
  const ended = await db<{ subject: string }[]>`
    with ended as (
      select e.*, i.account_id from unnest(
        ${intents.map(({ intentId }) => intentId)}::uuid[], ${intents.map(({ row }) => String(row.version))}::text[],
        ${intents.map(({ signature }) => signature)}::text[], ${events.map(({ id }) => id)}::uuid[],
        ${events.map(({ body }) => body)}::text[], ${events.map(({ traceparent }) => traceparent)}::text[]
      ) as e (id, version, transaction_signature, event_id, body, traceparent)
      join transaction_intents i on i.id = e.id and i.status = 'submitted' and i.version = e.version::int
      join intent_broadcasts b on b.intent_id = i.id
      -- As in finishIntents: one order for all workers, and the job with its intent.
      order by e.id for update of i, b
    ), updated as (
      update transaction_intents i set status = 'confirmed', version = i.version + 1, completed_at = ${now},
        transaction_signature = e.transaction_signature
      from ended e where i.id = e.id
    ), done as (
      delete from intent_broadcasts b using ended e where b.intent_id = e.id
    )
    insert into events (id, type, subject, account_id, body, created_at, traceparent)
    select event_id, ${eventType(EVENT)}, id::text, account_id, body, ${now}, traceparent from ended
    returning subject`;
  if (ended.length > 0) onEventsAdded(ended.map(({ subject }) => subject));
  onIntentsEnded?.(ended.flatMap(({ subject }) => ends.get(subject) ?? []));
  return ended.length;
}

function confirmed({ row, signature }: WatchedIntent, completedAt: Date): IntentEventRow {
  return {
    ...row,
    status: 'confirmed',
    version: row.version + 1,
    transactionSignature: signature,
    completedAt,
  };
}
