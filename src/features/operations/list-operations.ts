import { type AccountListPage, type AccountListPosition, accountPageIds } from '../../db/account-list.ts';
import type { Queryable } from '../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../db/keyset-page.ts';
import { operationStatuses } from '../../db/values/operations.ts';
import { operationColumns } from './find-operation.ts';
import type { OperationRow } from './record.ts';
import type { OperationStatus } from './state.ts';

/** Operations of an account, newest first. */
export async function listOperations(
  db: Queryable,
  accountId: string,
  page: AccountListPage<OperationStatus>,
): Promise<KeysetPage<OperationRow, AccountListPosition>> {
  const rows = await db<OperationRow[]>`
    select ${operationColumns(db)}
    from operations o left join operation_results r on r.operation_id = o.id
    where o.id = any(array(${accountPageIds(db, 'operations', accountId, operationStatuses, page)}))
    order by o.id desc`;
  return keysetPage(
    rows,
    page.limit,
    (row) => row,
    ({ id }) => [id],
  );
}
