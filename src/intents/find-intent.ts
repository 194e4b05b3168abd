import type { Queryable } from '../db/client.ts';
import type { Reader } from '../db/look-ups.ts';
import { isOwnedBy, rowById } from '../db/row-look-up.ts';
import { type LandingRow, landingColumns, toLanding } from './land/landing.ts';
import { type IntentRow, intentColumns, toIntent, toIntentEvent } from './row.ts';
import type { TransactionIntent } from './schema.ts';

/** The intent of an account, or null. */
export async function findIntent(
  db: Reader,
  intentId: string,
  accountId: string,
): Promise<LandedIntentRow | null> {
  const [row] = await db<LandedIntentRow[]>`
    select ${intentColumns(db)}, ${landingColumns(db)}
    from transaction_intents i left join intent_landings l on ${rowById(db, db`l.intent_id`, db`i.id`)}
    where i.id = ${intentId} and ${isOwnedBy(db, db`i.account_id`, accountId)}`;
  return row ?? null;
}

/** An intent with what became of its transaction. */
type LandedIntentRow = IntentRow & LandingRow;

/** An intent for operators: also its account, and the state of its sends. */
type IntentInspection = TransactionIntent & {
  accountId: string;
  /** Null before its submission, and after its end. */
  broadcast: { sendCount: number; nextSendAt: Date } | null;
};

/** The intent of any account, or null. */
export async function inspectIntent(db: Queryable, intentId: string): Promise<IntentInspection | null> {
  const [row] = await db<LandedIntentRow[]>`
    select ${intentColumns(db)}, ${landingColumns(db)}
    from transaction_intents i left join intent_landings l on ${rowById(db, db`l.intent_id`, db`i.id`)} where i.id = ${intentId}`;
  if (row === undefined) return null;
  const [broadcast] = await db<{ sendCount: number; nextSendAt: Date }[]>`
    select send_count, next_send_at from intent_broadcasts where intent_id = ${intentId}`;
  const { id, ...shown } = toIntent(row, toIntentEvent(row, toLanding(row)));
  return { id, accountId: row.accountId, ...shown, broadcast: broadcast ?? null };
}
