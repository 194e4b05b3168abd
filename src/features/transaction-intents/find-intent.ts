import type { TransactionIntent } from '../../chain/transactions/intent-schema.ts';
import type { Queryable } from '../../db/client.ts';
import { isOwnedBy } from '../../db/row-look-up.ts';
import { type IntentRow, intentColumns, toIntent } from './record.ts';

/** The intent of an account, or null. */
export async function findIntent(
  db: Queryable,
  intentId: string,
  accountId: string,
): Promise<IntentRow | null> {
  const [row] = await db<IntentRow[]>`
    select ${intentColumns(db)} from transaction_intents i
    where id = ${intentId} and ${isOwnedBy(db, db`account_id`, accountId)}`;
  return row ?? null;
}

/** An intent for operators: also its account, and the state of its sends. */
type IntentInspection = TransactionIntent & {
  accountId: string;
  /** Null before its submission, and after its end. */
  broadcast: { sendCount: number; nextSendAt: Date } | null;
};

/** The intent of any account, or null. */
export async function inspectIntent(db: Queryable, intentId: string): Promise<IntentInspection | null> {
  const [row] = await db<IntentRow[]>`
    select ${intentColumns(db)} from transaction_intents i where id = ${intentId}`;
  if (row === undefined) return null;
  const [broadcast] = await db<{ sendCount: number; nextSendAt: Date }[]>`
    select send_count, coalesce(protected_send_at, next_send_at) as next_send_at from intent_broadcasts where intent_id = ${intentId}`;
  const { id, ...shown } = toIntent(row);
  return { id, accountId: row.accountId, ...shown, broadcast: broadcast ?? null };
}
