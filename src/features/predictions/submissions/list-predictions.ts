import { type AccountListPosition, BEFORE_NEWEST } from '../../../db/account-list.ts';
import type { Queryable } from '../../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import { predictionStatuses } from '../../../db/values/predictions.ts';
import { predictionColumns } from './find-prediction.ts';
import { type PredictionRow, toPrediction } from './record.ts';
import type { Prediction } from './schema.ts';

export interface PredictionListFilter {
  status?: Prediction['status'] | undefined;
  roundId?: string | undefined;
  limit: number;
  after?: AccountListPosition | undefined;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Lists the predictions of an account, newest first. */
export async function listPredictions(
  db: Queryable,
  accountId: string,
  filter: PredictionListFilter,
): Promise<KeysetPage<Prediction, AccountListPosition>> {
  const { roundId, limit } = filter;
  const ids = roundId === undefined ? newestIds(db, accountId, filter) : idsOfRound(db, accountId, filter);
  const rows = await db<PredictionRow[]>`
    select ${predictionColumns(db)} from predictions p join prediction_rounds r on r.id = p.round_id
    where p.id = any(array(${ids})) order by p.id desc`;
  return keysetPage(rows, limit, toPrediction, ({ id }) => [id]);
}

/** SQL: a page of ids by `predictions_account`, as `accountPageIds` reads other lists of an account. */
function newestIds(
  db: Queryable,
  accountId: string,
  { status, limit, after: [beforeId] = BEFORE_NEWEST }: PredictionListFilter,
) {
  const statuses = status === undefined ? [...predictionStatuses] : [status];
  return db`
    select record.id from unnest(${statuses}::text[]) as wanted (status)
    cross join lateral (
      select id from predictions
      where account_id = ${accountId}::uuid
        and (status, id) < (wanted.status, ${beforeId}::uuid) and status >= wanted.status
      order by status desc, id desc limit ${limit + 1}
    ) as record
    order by record.id desc limit ${limit + 1}`;
}

/** SQL: a page of ids in one round, by `predictions_account_round`: one for each wallet of the account. */
function idsOfRound(
  db: Queryable,
  accountId: string,
  { status, roundId = FIRST_ID, limit, after: [beforeId] = BEFORE_NEWEST }: PredictionListFilter,
) {
  return db`
    select own.id from (
      select id, status from predictions where account_id = ${accountId} and round_id = ${roundId} offset 0
    ) as own
    where own.id < ${beforeId} ${status === undefined ? db`` : db`and own.status = ${status}`}
    order by own.id desc limit ${limit + 1}`;
}
