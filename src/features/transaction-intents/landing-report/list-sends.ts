import type { SendResult } from '../../../chain/node-trust/judge-send.ts';
import type { FailureReason } from '../../../chain/rpc/rpc-failure.ts';
import type { Queryable } from '../../../db/client.ts';
import { isOwnedBy } from '../../../db/row-look-up.ts';
import type { IntentSends } from './schema.ts';

interface SendRow {
  /** Null in the one row of an intent without records; the rest is null then too. */
  target: string | null;
  firstSentAt: Date | null;
  lastSentAt: Date | null;
  firstSlot: bigint | null;
  sendCount: number;
  takenCount: number;
  answer: SendResult | null;
  reason: FailureReason | null;
}

/** The sends of an account's intent, by name of the address; null when the account has no such intent. */
export async function listSends(
  db: Queryable,
  intentId: string,
  accountId: string,
): Promise<IntentSends | null> {
  const rows = await db<SendRow[]>`
    select s.target, s.first_sent_at, s.last_sent_at, s.first_slot, s.send_count, s.taken_count, s.answer, s.reason
    from transaction_intents i left join intent_sends s on s.intent_id = ${intentId}
    where i.id = ${intentId} and ${isOwnedBy(db, db`i.account_id`, accountId)}
    order by s.target`;
  if (rows.length === 0) return null;
  return {
    intentId: intentId.toLowerCase(),
    addresses: rows.flatMap(({ target, firstSentAt, lastSentAt, firstSlot, ...row }) =>
      target === null
        ? []
        : {
            name: target,
            heldOut: row.sendCount === 0,
            sendCount: row.sendCount,
            takenCount: row.takenCount,
            firstSentAt: firstSentAt?.toISOString() ?? null,
            lastSentAt: lastSentAt?.toISOString() ?? null,
            firstSlot: firstSlot?.toString() ?? null,
            answer: row.answer,
            reason: row.reason,
          },
    ),
  };
}
