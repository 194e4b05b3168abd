import { type AccountListPosition, BEFORE_NEWEST } from '../../db/account-list.ts';
import type { Queryable } from '../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../db/keyset-page.ts';
import { launchStatuses } from '../../db/values/launches.ts';
import { type LaunchRow, launchColumns } from './record.ts';
import type { LaunchStatus } from './state.ts';

export interface LaunchListPage {
  status?: LaunchStatus | undefined;
  limit: number;
  after?: AccountListPosition | undefined;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Launches of an account, newest first. The index `launches_account` is read for each status separately, as
 * `accountPageIds` reads other lists of an account: a page costs a few rows of each status.
 */
export async function listLaunches(
  db: Queryable,
  accountId: string,
  { status, limit, after: [beforeId] = BEFORE_NEWEST }: LaunchListPage,
): Promise<KeysetPage<LaunchRow, AccountListPosition>> {
  const statuses = status === undefined ? [...launchStatuses] : [status];
  const rows = await db<LaunchRow[]>`
    select ${launchColumns(db)} from launches l join transaction_intents i on i.id = l.intent_id
    where l.id = any(array(
      select record.id from unnest(${statuses}::text[]) as wanted (status)
      cross join lateral (
        select id from launches
        where (account_id, status, id) < (${accountId}::uuid, wanted.status, ${beforeId}::uuid)
          and (account_id, status, id) >= (${accountId}::uuid, wanted.status, ${FIRST_ID}::uuid)
        order by account_id desc, status desc, id desc limit ${limit + 1}
      ) as record
      order by record.id desc limit ${limit + 1}
    ))
    order by l.id desc`;
  return keysetPage(
    rows,
    limit,
    (row) => row,
    ({ id }) => [id],
  );
}
