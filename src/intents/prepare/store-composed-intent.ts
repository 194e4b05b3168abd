import type { Database, Queryable } from '../../db/client.ts';
import {
  hasNoStoredResponse,
  isAccepted,
  storeResponse,
  tryIdempotencyLock,
} from '../../db/idempotency-record.ts';
import type { ComposedEvent, Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import {
  type ComposedIntent,
  howSent,
  type IntentKeeper,
  type SimulatedTransaction,
} from '../composed-intent.ts';
import { type IntentRow, toIntent, toIntentEvent } from '../row.ts';
import type { TransactionIntentEvent } from '../schema.ts';
import type { IntentFacts } from '../submit/intent-facts.ts';
import { checkSimulated } from './check-preparation.ts';

/** A composed intent with its row and its record for events. */
interface CheckedIntent extends ComposedIntent {
  readonly row: IntentRow;
  readonly eventRecord: TransactionIntentEvent;
}

/**
 * Stores the intents of flows: they were checked before, are stored in one round trip with the response that
 * shows them, and stay in memory for their submission.
 */
export function createIntentKeeper(
  database: Database,
  outbox: Outbox,
  clock: Clock,
  facts: Pick<IntentFacts, 'note'>,
): IntentKeeper {
  return {
    compose(id, transaction): CheckedIntent {
      const row = preparedRow(id, transaction, clock.now());
      const { version, expectedSigner, createdAt, expiresAt, recentBlockhash } = row;
      const { lastValidBlockHeight } = transaction;
      const eventRecord = toIntentEvent(row);
      const shown = toIntent(row, eventRecord);
      return {
        ...{ id, version, expectedSigner, recentBlockhash, lastValidBlockHeight, createdAt, expiresAt },
        ...{ shown, row, eventRecord },
      };
    },

    async storeWithResponse(intent, record) {
      const { row, eventRecord } = intent as CheckedIntent;
      const event = preparedEvent(outbox, row, eventRecord);
      const isStored = await isAccepted(database`
        with guard as materialized (${tryIdempotencyLock(database, record)}),
        inserted as (
          insert into transaction_intents (${columns(database)})
          select ${values(database, row)} from guard
          where guard.acquired and ${hasNoStoredResponse(database, database`${row.accountId}::uuid`, record)}
          returning account_id, created_at
        ), recorded as (${insertEvent(database, event)} from inserted),
        accepted as (select account_id, created_at as submitted_at from inserted),
        responded as (${storeResponse(database, record)})
        select from accepted`);
      if (isStored) facts.note(row);
      return isStored;
    },

    async store(sql, intent) {
      const { row, eventRecord } = intent as CheckedIntent;
      await sql`insert into transaction_intents (${columns(sql)}) select ${values(sql, row)}`;
      await sql`${insertEvent(sql, preparedEvent(outbox, row, eventRecord))}`;
      // If the transaction fails, a submission finds no row to update.
      facts.note(row);
    },
  };
}

/** The row of a new intent. Throws when its bytes could never be submitted. */
function preparedRow(id: string, transaction: SimulatedTransaction, createdAt: Date) {
  const { preparation, signatureOffset, blockhash, lastValidBlockHeight } = checkSimulated(transaction);
  const { accountId, kind, expectedSigner, policy } = preparation;
  return {
    id,
    accountId,
    kind,
    status: 'prepared' as const,
    expectedSigner,
    preparedTransaction: preparation.transaction,
    signatureOffset,
    signedTransaction: null,
    recentBlockhash: blockhash,
    lastValidBlockHeight,
    policy,
    ...howSent(preparation),
    ...transaction.origin,
    transactionSignature: null,
    errorCode: null,
    errorDetail: null,
    version: 1,
    expiresAt: new Date(createdAt.getTime() + transaction.expiresInMs),
    createdAt,
    submittedAt: null,
    completedAt: null,
  } satisfies IntentRow;
}

/** The event `prepared`, which is stored with the intent. */
function preparedEvent(outbox: Outbox, row: IntentRow, data: TransactionIntentEvent): ComposedEvent {
  return outbox.compose({
    name: 'transaction_intent.prepared',
    subject: row.id,
    accountId: row.accountId,
    data,
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
    last_valid_block_height, policy, send_route, priority_level, version, expires_at, created_at,
    mint_address, launch_id, tip_lamports, quote`;
}

function values(sql: Queryable, row: IntentRow) {
  return sql`${row.id}::uuid, ${row.accountId}::uuid, ${row.kind}, 'prepared', ${row.expectedSigner},
    ${row.preparedTransaction}::bytea, ${row.signatureOffset}::int, ${row.recentBlockhash}, ${row.lastValidBlockHeight}::int8,
    ${sql.json({ ...row.policy })}::jsonb, ${row.sendRoute}, ${row.priorityLevel}::text, ${row.version}::int,
    ${row.expiresAt}::timestamptz, ${row.createdAt}::timestamptz, ${row.mintAddress}::text,
    ${row.launchId}::uuid, ${row.tipLamports}::int8, ${row.quote && sql.json({ ...row.quote })}::jsonb`;
}
