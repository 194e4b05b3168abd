import type { ChainHeadSource } from '../../chain/head.ts';
import type { Outbox } from '../../outbox/append.ts';
import { type ComposedEvent, insertEvent } from '../../outbox/event-rows.ts';
import type { Clock } from '../../shared/clock.ts';
import { insertIntent } from '../insert-intent.ts';
import { type IntentRow, toIntentEvent } from '../row.ts';
import type { FirstBroadcaster } from '../send/first-broadcaster.ts';
import type { IntentSender, SignedTransaction, SubmittedIntent } from '../send/intent-sender.ts';
import { nextSendAfter } from '../send/resend-interval.ts';
import { insertBroadcasts } from './insert-broadcasts.ts';

export interface IntentSenderDependencies {
  outbox: Outbox;
  clock: Clock;
  chainHead: Pick<ChainHeadSource, 'pace'>;
  firstBroadcaster: Pick<FirstBroadcaster, 'send'>;
}

interface StoredIntent extends SubmittedIntent {
  readonly submitted: IntentRow;
  readonly event: ComposedEvent;
}

/** Stores what wallets signed before as submitted intents, and sends them (contract/intents#born-submitted). */
export function createIntentSender({
  outbox,
  clock,
  chainHead,
  firstBroadcaster,
}: IntentSenderDependencies): IntentSender {
  return {
    async store(sql, transaction): Promise<StoredIntent> {
      const submitted = submittedRow(transaction, clock.now());
      const nextSendAt = nextSendAfter(submitted.createdAt, chainHead.pace());
      const event = outbox.compose({
        name: 'transaction_intent.submitted',
        subject: submitted.id,
        accountId: submitted.accountId,
        data: toIntentEvent(submitted),
        time: submitted.createdAt,
      });
      await sql`
        with inserted as (
          ${insertIntent.submitted(sql, submitted)}
          returning id, submitted_at, ${nextSendAt}::timestamptz as next_send_at, ${event.traceparent}::text as traceparent
        ), recorded as (${insertEvent(sql, event)})
        ${sql.unsafe(insertBroadcasts('inserted'))}`;
      return { id: submitted.id, submitted, event };
    },
    send(intent) {
      const { submitted, event } = intent as StoredIntent;
      firstBroadcaster.send({ submitted, traceparent: event.traceparent });
      outbox.hint(event);
    },
  };
}

function submittedRow(transaction: SignedTransaction, now: Date): IntentRow {
  return {
    id: transaction.id,
    accountId: transaction.accountId,
    kind: transaction.kind,
    status: 'submitted',
    expectedSigner: transaction.expectedSigner,
    preparedTransaction: transaction.prepared,
    signatureOffset: transaction.signatureOffset,
    signedTransaction: transaction.signed,
    recentBlockhash: transaction.nonce,
    lastValidBlockHeight: null,
    policy: transaction.policy,
    sendRoute: transaction.sendRoute,
    priorityLevel: transaction.priorityLevel,
    ...transaction.origin,
    transactionSignature: null,
    errorCode: null,
    errorDetail: null,
    version: 1,
    expiresAt: new Date(now.getTime() + transaction.expiresInMs),
    createdAt: now,
    submittedAt: now,
    completedAt: null,
  };
}
