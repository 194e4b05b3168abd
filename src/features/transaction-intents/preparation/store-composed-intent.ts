import type { ComposedIntent, IntentKeeper } from '../../../chain/transactions/intent-keeper.ts';
import type { Database, Queryable } from '../../../db/client.ts';
import {
  hasNoStoredResponse,
  isAccepted,
  storeResponse,
  tryIdempotencyLock,
} from '../../../db/idempotency-record.ts';
import type { ComposedEvent, Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { IntentFacts } from '../intent-facts.ts';
import { type IntentRow, toIntentEvent } from '../record.ts';
import { type CheckedPreparation, checkSimulated } from './check-preparation.ts';

/** A composed intent with its checked bytes. */
interface CheckedIntent extends ComposedIntent {
  readonly checked: CheckedPreparation;
}

/**
 * Stores the intents of flows: they were checked before, are stored in one round trip with the response that
 * names them, and stay in memory for their submission.
 */
export function createIntentKeeper(
  database: Database,
  outbox: Outbox,
  clock: Clock,
  facts: Pick<IntentFacts, 'note'>,
): IntentKeeper {
  return {
    compose(id, transaction): CheckedIntent {
      const checked = checkSimulated(transaction);
      const createdAt = clock.now();
      return {
        id,
        version: 1,
        expectedSigner: transaction.expectedSigner,
        recentBlockhash: checked.blockhash,
        lastValidBlockHeight: transaction.lastValidBlockHeight,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + transaction.expiresInMs),
        checked,
      };
    },

    async storeWithResponse(intent, record) {
      const composed = intent as CheckedIntent;
      const { accountId } = composed.checked.preparation;
      const event = preparedEvent(outbox, composed);
      const isStored = await isAccepted(database`
        with guard as materialized (${tryIdempotencyLock(database, record)}),
        inserted as (
          insert into transaction_intents (${columns(database)})
          select ${values(database, composed)} from guard
          where guard.acquired and ${hasNoStoredResponse(database, database`${accountId}::uuid`, record)}
          returning account_id, created_at
        ), recorded as (${insertEvent(database, event)} from inserted),
        accepted as (select account_id, created_at as submitted_at from inserted),
        responded as (${storeResponse(database, record)})
        select from accepted`);
      if (isStored) facts.note(preparedRow(composed));
      return isStored;
    },

    async store(sql, intent) {
      const composed = intent as CheckedIntent;
      await sql`insert into transaction_intents (${columns(sql)}) select ${values(sql, composed)}`;
      await sql`${insertEvent(sql, preparedEvent(outbox, composed))}`;
      // If the transaction fails, a submission finds no row to update.
      facts.note(preparedRow(composed));
    },
  };
}

function preparedRow({ checked, ...intent }: CheckedIntent): IntentRow {
  const { preparation, signatureOffset } = checked;
  const { accountId, kind, policy, transaction } = preparation;
  return {
    ...intent,
    accountId,
    kind,
    status: 'prepared',
    preparedTransaction: transaction,
    signatureOffset,
    signedTransaction: null,
    policy,
    transactionSignature: null,
    errorCode: null,
    errorDetail: null,
    submittedAt: null,
    completedAt: null,
  };
}

/** The event `prepared`, which is stored with the intent. */
function preparedEvent(outbox: Outbox, composed: CheckedIntent): ComposedEvent {
  const row = preparedRow(composed);
  return outbox.compose({
    name: 'transaction_intent.prepared',
    subject: row.id,
    accountId: row.accountId,
    data: toIntentEvent(row),
    time: row.createdAt,
  });
}

/** SQL of an insert without its `from`. */
function insertEvent(
  sql: Queryable,
  { id, type, subject, accountId, body, createdAt, traceparent }: ComposedEvent,
) {
  return sql`insert into events (id, type, subject, account_id, body, created_at, traceparent)
    select ${id}::uuid, ${type}, ${subject}, ${accountId}::uuid, ${body}, ${createdAt}::timestamptz, ${traceparent}`;
}

function columns(sql: Queryable) {
  return sql`id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset, recent_blockhash,
    last_valid_block_height, policy, version, expires_at, created_at`;
}

function values(sql: Queryable, intent: CheckedIntent) {
  const { preparation, signatureOffset } = intent.checked;
  return sql`${intent.id}::uuid, ${preparation.accountId}::uuid, ${preparation.kind}, 'prepared', ${preparation.expectedSigner},
    ${preparation.transaction}::bytea, ${signatureOffset}::int, ${intent.recentBlockhash}, ${intent.lastValidBlockHeight}::int8,
    ${sql.json({ ...preparation.policy })}::jsonb, ${intent.version}::int, ${intent.expiresAt}::timestamptz,
    ${intent.createdAt}::timestamptz`;
}
