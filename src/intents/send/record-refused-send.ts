import type { Database } from '../../db/client.ts';

/**
 * Makes the job of a first send without an accepting node due at once, and records the responses.
 * @param isUnsent it reached no node: the first count of the submission is taken back
 */
export async function leaveToWorker(
  db: Database,
  intentId: string,
  { isUnsent, isMisanswered }: { isUnsent: boolean; isMisanswered: boolean },
  now: Date,
): Promise<void> {
  await db`
    update intent_broadcasts set
      next_send_at = least(next_send_at, ${now}),
      misanswered = misanswered or ${isMisanswered},
      send_count = case when ${isUnsent} then greatest(0, send_count - 1) else send_count end
    where intent_id = ${intentId}`;
}
