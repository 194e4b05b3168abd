import postgres from 'postgres';
import { readTransaction } from '../../chain/transaction-reader.ts';
import type { Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { timedId } from '../../shared/timed-id.ts';
import { howSent } from '../composed-intent.ts';
import type { IntentRow } from '../row.ts';
import { intentColumns, toIntentEvent } from '../row.ts';
import type { CheckedPreparation } from './check-preparation.ts';
import { PreparationRefused } from './preparation.ts';

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
  const row = await insertIntent(sql, checked, now);
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
async function insertIntent(
  sql: Transaction,
  { preparation, signatureOffset, blockhash, lastValidBlockHeight }: CheckedPreparation,
  now: Date,
): Promise<IntentRow | undefined> {
  const { accountId, kind, expectedSigner, transaction, policy, expiresInMs } = preparation;
  const { sendRoute, priorityLevel } = howSent(preparation);
  const insert = (savepoint: Transaction) => savepoint<IntentRow[]>`
    insert into transaction_intents as i
      (id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset, recent_blockhash,
       last_valid_block_height, policy, send_route, priority_level, version, expires_at, created_at)
    select ${timedId(now)}, id, ${kind}, 'prepared', ${expectedSigner}, ${transaction}, ${signatureOffset},
      ${blockhash}, ${lastValidBlockHeight}, ${sql.json({ ...policy })}, ${sendRoute}, ${priorityLevel}, 1,
      ${new Date(now.getTime() + expiresInMs)}, ${now}
    from accounts where id = ${accountId}
    returning ${intentColumns(sql)}`;
  try {
    const [row] = await sql.savepoint(insert);
    return row;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError && error.constraint_name === ONE_INTENT_PER_MESSAGE))
      throw error;
    throw new PreparationRefused(
      `intent ${await intentOf(sql, blockhash, transaction)} has this message already`,
    );
  }
}

/** The id of the intent with the message of a transaction. */
async function intentOf(sql: Transaction, blockhash: string, transaction: Uint8Array): Promise<string> {
  const view = readTransaction(transaction);
  if (view === null) throw new Error('a checked transaction cannot be read');
  const { messageOffset, messageLength } = view;
  const message = transaction.subarray(messageOffset, messageOffset + messageLength);
  const [row] = await sql<{ intentId: string }[]>`
    select intent_id from intent_messages where recent_blockhash = ${blockhash} and message_hash = sha256(${message})`;
  if (row === undefined) throw new Error('a message that is taken has no intent');
  return row.intentId;
}
