import type { Queryable } from '../../db/client.ts';
import { firstUuidOf } from '../../shared/first-uuid.ts';
import { type IntentRow, intentColumns } from '../row.ts';

/** Intents prepared since a time that have no submission here, oldest first. */
export function findUnsubmitted(
  db: Queryable,
  { since, limit }: { since: Date; limit: number },
): Promise<IntentRow[]> {
  // The time is in the id, so that the primary key serves it.
  return db<IntentRow[]>`
    select ${intentColumns(db)} from transaction_intents i
    where i.id >= ${firstUuidOf(since.getTime())}::uuid and i.status in ('prepared', 'expired') and i.signed_transaction is null
    order by i.id limit ${limit}`;
}
