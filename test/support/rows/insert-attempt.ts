import type { Queryable } from '../../../src/db/client.ts';
import type { webhookAttempts } from '../../../src/db/schema/webhooks.ts';
import { insertRows } from './insert-rows.ts';

type AttemptRow = typeof webhookAttempts.$inferInsert;
/** The columns that a test has a say in. */
export type NewAttempt = Pick<AttemptRow, 'deliveryId'> & Partial<AttemptRow>;

/** The first attempt at a delivery, finished when it began; a success unless said otherwise. */
export async function insertAttempt(
  db: Queryable,
  { startedAt = new Date(), ...attempt }: NewAttempt,
): Promise<void> {
  const row = { attemptNumber: 1, startedAt, finishedAt: startedAt, succeeded: true, ...attempt };
  await insertRows(db, 'webhook_attempts', [row]);
}
