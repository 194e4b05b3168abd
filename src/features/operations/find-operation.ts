import type { Queryable, Transaction } from '../../db/client.ts';
import type { Reader } from '../../db/look-ups.ts';
import { isOwnedBy } from '../../db/row-look-up.ts';
import type { OperationRow } from './record.ts';

/** The operation of an account, or null. Clients poll it: one look-up by primary key. */
export async function findOperation(
  db: Reader,
  operationId: string,
  accountId: string,
): Promise<OperationRow | null> {
  const [row] = await db<OperationRow[]>`
    select ${operationColumns(db)} from operations o left join operation_results r on r.operation_id = o.id
    where o.id = ${operationId} and ${isOwnedBy(db, db`o.account_id`, accountId)}`;
  return row ?? null;
}

/** The public row with the columns that decide whether a change is possible. */
export interface LockedOperation extends OperationRow {
  /** Set while the worker does or will do the work. */
  dueAt: Date | null;
  leaseToken: string | null;
}

/** Locks the operation of any account until the transaction ends. Null when there is none. */
export async function lockOperation(
  transaction: Transaction,
  operationId: string,
): Promise<LockedOperation | null> {
  const [row] = await transaction<LockedOperation[]>`
    select ${operationColumns(transaction)}, o.due_at, o.lease_token
    from operations o left join operation_results r on r.operation_id = o.id
    where o.id = ${operationId} for update of o`;
  return row ?? null;
}

/** Operations by id, of any account. */
export async function findStreamedOperations(db: Queryable, ids: readonly string[]): Promise<OperationRow[]> {
  if (ids.length === 0) return [];
  return db<OperationRow[]>`
    select ${operationColumns(db)} from operations o left join operation_results r on r.operation_id = o.id
    where o.id = any(${ids as string[]}::uuid[])`;
}

/** Operations of an account that have not ended, newest last, at most `limit` of the newest. */
export async function findOpenOperations(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<OperationRow[]> {
  const rows = await db<OperationRow[]>`
    select ${operationColumns(db)} from operations o left join operation_results r on r.operation_id = o.id
    where o.account_id = ${accountId} and o.status in ('queued', 'running')
    order by o.id desc limit ${limit}`;
  return [...rows].reverse();
}

/** SQL: the columns of an OperationRow, from `operations o` and its result `r`. */
export function operationColumns(db: Reader) {
  return db`
    o.id, o.account_id, o.kind, o.status, o.progress_completed, o.progress_total, o.progress_unit, o.created_at,
    o.started_at, o.completed_at, o.result_url, o.error_code, o.error_detail, o.error_request_id,
    r.expires_at as result_expires_at`;
}
