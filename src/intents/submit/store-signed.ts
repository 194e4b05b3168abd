import type { Transaction } from '../../db/client.ts';
import type { ComposedEvent, Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { type IntentRow, toIntentEvent } from '../row.ts';
import type { FirstBroadcaster } from '../send/first-broadcaster.ts';
import type { IntentSender, SignedTransaction, SubmittedIntent } from '../send/intent-sender.ts';
import { FIRST_DUE_AFTER_MS } from './first-due.ts';

export interface IntentSenderDependencies {
  outbox: Outbox;
  clock: Clock;
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
  firstBroadcaster,
}: IntentSenderDependencies): IntentSender {
  return {
    async store(sql, transaction): Promise<StoredIntent> {
      const submitted = submittedRow(transaction, clock.now());
      const event = outbox.compose({
        name: 'transaction_intent.submitted',
        subject: submitted.id,
        accountId: submitted.accountId,
        data: toIntentEvent(submitted),
        time: submitted.createdAt,
      });
      await insertSubmitted(sql, submitted, event);
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

/** The job counts the first send before it is made, like that of every submission. */
async function insertSubmitted(sql: Transaction, row: IntentRow, event: ComposedEvent): Promise<void> {
  const dueAt = new Date(row.createdAt.getTime() + FIRST_DUE_AFTER_MS);
  await sql`
    with inserted as (
      insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction,
        signature_offset, signed_transaction, recent_blockhash, policy, send_route, priority_level, version,
        expires_at, created_at, submitted_at, mint_address, launch_id, tip_lamports, quote)
      values (${row.id}, ${row.accountId}, ${row.kind}, 'submitted', ${row.expectedSigner}, ${row.preparedTransaction},
        ${row.signatureOffset}, ${row.signedTransaction}, ${row.recentBlockhash}, ${sql.json({ ...row.policy })},
        ${row.sendRoute}, ${row.priorityLevel}, ${row.version}, ${row.expiresAt}, ${row.createdAt},
        ${row.createdAt}, ${row.mintAddress}, ${row.launchId}, ${row.tipLamports}, ${row.quote && sql.json({ ...row.quote })})
      returning id
    ), recorded as (
      insert into events (id, type, subject, account_id, body, created_at, traceparent)
      values (${event.id}, ${event.type}, ${event.subject}, ${event.accountId}, ${event.body}, ${event.createdAt},
        ${event.traceparent})
    )
    insert into intent_broadcasts (intent_id, send_count, next_send_at, created_at, traceparent)
    select id, 1, ${dueAt}::timestamptz, ${row.createdAt}::timestamptz, ${event.traceparent}::text
    from inserted`;
}
