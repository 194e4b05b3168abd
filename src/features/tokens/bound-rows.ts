import type { Queryable } from '../../db/client.ts';
import { sortColumns } from './listed-token.ts';
import type { Bounds, RankedSort, TokenBounds } from './token-filter.ts';

/** SQL: `and` conditions on `token_rankings r`. A token without a value is within no bounds. */
export function withinBounds(db: Queryable, bounds: TokenBounds) {
  const all = Object.entries(bounds) as [RankedSort, Bounds][];
  return all.reduce((sql, [sort, one]) => db`${sql} ${within(db, sort, one)}`, db``);
}

/** SQL: as `withinBounds`, for one value. */
export function within(db: Queryable, sort: RankedSort, { min, max }: Bounds) {
  const { column, type } = sortColumns[sort];
  const key = db`r.${db(column)}`;
  // Their texts are constants of this code.
  const as = db.unsafe(`::text::${type}`);
  return db`
    ${min === undefined ? db`` : db`and ${key} >= ${min}${as}`}
    ${max === undefined ? db`` : db`and ${key} <= ${max}${as} and ${key} > '-Infinity'${db.unsafe(`::${type}`)}`}`;
}
