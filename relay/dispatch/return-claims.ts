import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database } from '../../src/db/client.ts';
import { statusAfter, statusesBefore } from '../delivery-transitions.ts';
import type { Claim } from './claim.ts';

/**
 * Gives back claims that were not sent: their deliveries are due again as they were, and the attempt counts no more. Those whose lease
 * has ended meanwhile are left as they are.
 */
export async function returnClaims(sql: Database, claims: readonly Claim[]): Promise<void> {
  const ids = claims.map(({ deliveryId }) => deliveryId);
  const numbers = claims.map(({ attemptNumber }) => attemptNumber);
  const dueAt = claims.map(({ startedAt, queuedMs }) =>
    new Date(startedAt.getTime() - queuedMs).toISOString(),
  );
  await sql`
    update webhook_deliveries as delivery set
      status = ${statusAfter(sql, 'returned')}, attempt_count = delivery.attempt_count - 1, lease_expires_at = null,
      next_attempt_at = returned.due_at, updated_at = now()
    from unnest(${ids}::uuid[], ${numbers}::int[], ${dueAt}::timestamptz[]) as returned(id, attempt_number, due_at)
    where delivery.id = returned.id and delivery.attempt_count = returned.attempt_number
      and delivery.status in ${statusesBefore(sql, 'returned')} and ${asynchronousCommit(sql)}`;
}
