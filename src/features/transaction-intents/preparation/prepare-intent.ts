import type { Transaction } from '../../../db/client.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { IntentRow } from '../record.ts';
import { intentColumns, toIntentEvent } from '../record.ts';
import type { CheckedPreparation } from './check-preparation.ts';
import { PreparationRefused } from './preparation.ts';

/**
 * Stores a prepared intent with the event that tells its account of it, in the caller's transaction. Throws
 * PreparationRefused when the account is unknown.
 */
export async function prepareIntent(
  sql: Transaction,
  { preparation, signatureOffset, blockhash, lastValidBlockHeight }: CheckedPreparation,
  { outbox, clock }: { outbox: Outbox; clock: Clock },
): Promise<IntentRow> {
  const { accountId, kind, expectedSigner, transaction, policy, expiresInMs } = preparation;
  const now = clock.now();
  const [row] = await sql<IntentRow[]>`
    insert into transaction_intents
      (id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset, recent_blockhash,
       last_valid_block_height, policy, version, expires_at, created_at)
    select ${Bun.randomUUIDv7()}, id, ${kind}, 'prepared', ${expectedSigner}, ${transaction}, ${signatureOffset},
      ${blockhash}, ${lastValidBlockHeight}, ${sql.json({ ...policy })}, 1,
      ${new Date(now.getTime() + expiresInMs)}, ${now}
    from accounts where id = ${accountId}
    returning ${intentColumns(sql)}`;
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
