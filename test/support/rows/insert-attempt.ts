import type { Queryable } from '../../../src/db/client.ts';
import type { webhookAttempts } from '../../../src/db/schema/webhooks.ts';
import { insertRows } from './insert-rows.ts';

type AttemptRow = typeof webhookAttempts.$inferInsert;
/** The columns that a test may set. */
export type NewAttempt = Pick<AttemptRow, 'deliveryId'> & Partial<AttemptRow>;

/** Inserts the first attempt of a delivery. By default it succeeds and ends at its start. */
export async function insertAttempt(
  db: Queryable,
  { startedAt = new Date(), ...attempt }: NewAttempt,
): Promise<void> {
  const row = { attemptNumber: 1, startedAt, finishedAt: startedAt, succeeded: true, ...attempt };
  await insertRows(db, 'webhook_attempts', [row]);
}
