import type { Database } from '../../db/client.ts';
import {
  hasNoStoredResponse,
  isAccepted,
  storeResponse,
  tryIdempotencyLock,
} from '../../db/idempotency-record.ts';
import type { Outbox } from '../../outbox/append.ts';
import { type ComposedEvent, insertEvent } from '../../outbox/event-rows.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ComposedIntent, IntentKeeper } from '../composed-intent.ts';
import { insertIntent } from '../insert-intent.ts';
import { type IntentRow, toIntent, toIntentEvent } from '../row.ts';
import type { TransactionIntentEvent } from '../schema.ts';
import type { IntentFacts } from '../submit/intent-facts.ts';
import { checkSimulated } from './check-preparation.ts';
import { preparedRow } from './prepared-row.ts';

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
      const row = preparedRow(id, checkSimulated(transaction), transaction.origin, clock.now());
      const eventRecord = toIntentEvent(row);
      return {
        id,
        version: row.version,
        expectedSigner: row.expectedSigner,
        recentBlockhash: row.recentBlockhash,
        lastValidBlockHeight: transaction.lastValidBlockHeight,
        createdAt: row.createdAt,
        expiresAt: row.expiresAt,
        shown: toIntent(row, eventRecord),
        row,
        eventRecord,
      };
    },

    async storeWithResponse(intent, record) {
      const { row, eventRecord } = intent as CheckedIntent;
      const event = preparedEvent(outbox, row, eventRecord);
      const isNew = database`from guard where guard.acquired
        and ${hasNoStoredResponse(database, database`${row.accountId}::uuid`, record)}`;
      const isStored = await isAccepted(database`
        with guard as materialized (${tryIdempotencyLock(database, record)}),
        inserted as (
          ${insertIntent.composed(database, row, isNew)}
          returning account_id, created_at
        ), recorded as (${insertEvent(database, event, database`from inserted`)}),
        accepted as (select account_id, created_at as submitted_at from inserted),
        responded as (${storeResponse(database, record)})
        select from accepted`);
      if (isStored) facts.note(row);
      return isStored;
    },

    async store(sql, intent) {
      const { row, eventRecord } = intent as CheckedIntent;
      await insertIntent.composed(sql, row);
      await insertEvent(sql, preparedEvent(outbox, row, eventRecord));
      // If the transaction fails, a submission finds no row to update.
      facts.note(row);
    },
  };
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
