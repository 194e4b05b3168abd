import postgres from 'postgres';
import { readTransaction } from '../../chain/transaction-reader.ts';
import type { Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { timedId } from '../../shared/timed-id.ts';
import { insertIntent } from '../insert-intent.ts';
import { type IntentRow, intentColumns, toIntentEvent } from '../row.ts';
import type { CheckedPreparation } from './check-preparation.ts';
import { PreparationRefused } from './preparation.ts';
import { preparedRow } from './prepared-row.ts';

/** The constraint that a second intent with the same message violates. */
const ONE_INTENT_PER_MESSAGE = 'intent_messages_pk';

/**
 * Stores a prepared intent with its event in the caller's transaction. Throws PreparationRefused, and leaves
 * the transaction usable, when the account is unknown or another intent has the same message.
 */
export async function prepareIntent(
  sql: Transaction,
  checked: CheckedPreparation,
  { outbox, clock }: { outbox: Outbox; clock: Clock },
): Promise<IntentRow> {
  const { accountId } = checked.preparation;
  const now = clock.now();
  const row = await insertGiven(sql, checked, now);
  if (row === undefined) throw new PreparationRefused(`account ${accountId} does not exist`, '/accountId');
  await outbox.append(sql, {
    name: 'transaction_intent.prepared',
    subject: row.id,
    accountId,
    data: toIntentEvent(row),
    time: now,
  });
  return row;
}

/** Undefined when the account is unknown. */
async function insertGiven(
  sql: Transaction,
  checked: CheckedPreparation,
  now: Date,
): Promise<IntentRow | undefined> {
  const given = preparedRow(timedId(now), checked, null, now);
  const insert = (savepoint: Transaction) => savepoint<IntentRow[]>`
    ${insertIntent.given(sql, given, sql`from accounts where accounts.id = ${given.accountId}`)}
    returning ${intentColumns(sql)}`;
  try {
    const [row] = await sql.savepoint(insert);
    return row;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError && error.constraint_name === ONE_INTENT_PER_MESSAGE))
      throw error;
    throw new PreparationRefused(`intent ${await intentOf(sql, checked)} has this message already`);
  }
}

/** The id of the intent with the message of a transaction. */
async function intentOf(
  sql: Transaction,
  { preparation: { transaction }, blockhash }: CheckedPreparation,
): Promise<string> {
  const view = readTransaction(transaction);
  if (view === null) throw new Error('a checked transaction cannot be read');
  const { messageOffset, messageLength } = view;
  const message = transaction.subarray(messageOffset, messageOffset + messageLength);
  const [row] = await sql<{ intentId: string }[]>`
    select intent_id from intent_messages where recent_blockhash = ${blockhash} and message_hash = sha256(${message})`;
  if (row === undefined) throw new Error('a message that is taken has no intent');
  return row.intentId;
}
