import type { Queryable } from '../../db/client.ts';
import { operationColumns } from './find-operation.ts';
import type { OperationRow } from './record.ts';

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
