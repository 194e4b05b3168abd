import type { Queryable } from '../../db/client.ts';
import { type IntentRow, intentColumns } from './record.ts';

/** The intent of an account, or null. */
export async function findIntent(
  db: Queryable,
  intentId: string,
  accountId: string,
): Promise<IntentRow | null> {
  const [row] = await db<IntentRow[]>`
    select ${intentColumns(db)} from transaction_intents where id = ${intentId} and account_id = ${accountId}`;
  return row ?? null;
}
