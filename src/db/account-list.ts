import type { Queryable } from './client.ts';

/** An account's records are sorted by their ids, which are time-ordered. */
export type AccountListPosition = readonly [id: string];

/** One page of an account's records with its filters, newest first. */
export interface AccountListPage<Status extends string> {
  status?: Status | undefined;
  kind?: string | undefined;
  limit: number;
  after?: AccountListPosition | undefined;
}

/** Sorts before the newest record: the first page runs the same statement as the others. */
export const BEFORE_NEWEST: AccountListPosition = ['ffffffff-ffff-ffff-ffff-ffffffffffff'];

/**
 * SQL: ids of an account's newest records, one more than the page holds. One index `(account_id, kind,
 * status, id)` serves every filter: the statement steps from kind to kind, reads each kind and status
 * separately, and merges them. So a page costs a few rows of each kind, however many the account has. The
 * status has two bounds, not an equality: that would let the planner walk through the ids of all accounts. The
 * lower one is a comparison of its own, because a scan does not end at a bound that compares rows.
 */
export function accountPageIds<Status extends string>(
  db: Queryable,
  table: 'operations' | 'transaction_intents',
  accountId: string,
  statuses: readonly Status[],
  { status, kind, limit, after = BEFORE_NEWEST }: AccountListPage<Status>,
) {
  const source = db`${db(table)}`;
  const wantedStatuses = status === undefined ? [...statuses] : [status];
  const [beforeId] = after;
  const kinds =
    kind === undefined
      ? db`
        with recursive step as (
          (select kind from ${source} where account_id = ${accountId} order by kind limit 1)
          union all
          select (select next.kind from ${source} as next
            where next.account_id = ${accountId} and next.kind > step.kind order by next.kind limit 1)
          from step where step.kind is not null
        ) select kind from step where kind is not null`
      : db`select ${kind}::text as kind`;
  return db`
    select record.id from (${kinds}) as wanted_kind
    cross join unnest(${wantedStatuses}::text[]) as wanted (status)
    cross join lateral (
      select id from ${source}
      where account_id = ${accountId}::uuid and kind = wanted_kind.kind
        and (status, id) < (wanted.status, ${beforeId}::uuid) and status >= wanted.status
      order by status desc, id desc limit ${limit + 1}
    ) as record
    order by record.id desc limit ${limit + 1}`;
}
