import type { PendingQuery, Row } from 'postgres';
import type { Queryable } from '../../db/client.ts';
import { enumLiteral } from '../../db/enum-literal.ts';
import type { KeysetPage } from '../../db/keyset-page.ts';
import { launchTypes, tokenStatuses } from '../../db/values/tokens.ts';
import { withinBounds } from './bound-rows.ts';
import { type ListedTokenRow, listedColumns, toListedToken } from './listed-token.ts';
import { type ScannedRow, scannedPage } from './scanned-page.ts';
import type { ListedToken } from './schema.ts';
import type { TokenFilter } from './token-filter.ts';

/** Relevance, market cap and ordinal of a row. */
export type SearchPosition = readonly [relevance: string, marketCap: string, ordinal: string];

export interface TokenSearch extends Omit<TokenFilter, 'creatorWallet'> {
  /** As it was asked for: addresses differ by case. */
  text: string;
  /** `searchKey` of it. */
  key: string;
  limit: number;
  after?: SearchPosition | undefined;
}

/** Tokens that each way of finding them among all tokens contributes at most. */
const FOUND_EACH_WAY = 100;
/** Sorts before every row. */
const FIRST: SearchPosition = ['2147483647', 'Infinity', '9223372036854775807'];

/** What makes a token a better match than any with less of it. */
const SAME_MINT = 30_000;
const SAME_NAME = 20_000;
const SAME_BEGINNING = 10_000;
/** Similar names get from 400 to this. */
const SAME_WORDS = 1_000;

/**
 * Finds visible tokens by symbol, name or the beginning of their address: the best matches first, among equal ones
 * the largest market cap. Prominent tokens are all compared, by parts of words, so that a mistake still finds them;
 * of the others at most a hundred with the same symbol, name, beginning of either, or of the address are.
 */
export async function searchTokens(
  db: Queryable,
  { text, key, status, launchType, bounds, limit, after = FIRST }: TokenSearch,
): Promise<KeysetPage<ListedToken, SearchPosition>> {
  const [relevance, marketCap, ordinal] = after;
  const rows = await db<
    (ListedTokenRow & ScannedRow & { relevance: number; foundCap: string; ordinal: bigint })[]
  >`
    with found as (${candidates(db, text, key)}),
    best as (
      select r.mint_address, relevance, r.market_cap_in_sol::text as found_cap,
        row_number() over (order by relevance desc, r.market_cap_in_sol desc, r.ordinal desc)::int4 as at
      from found join token_names n using (mint_address) join token_rankings r using (mint_address)
      cross join lateral (select case
        when n.mint_address = ${text} then ${SAME_MINT}::int4
        when n.symbol_key = ${key} or n.name_key = ${key} then ${SAME_NAME}::int4
        when starts_with(n.symbol_key, ${key}) or starts_with(n.name_key, ${key})
          or starts_with(n.mint_address, ${text}) then ${SAME_BEGINNING}::int4
        else (similarity * ${SAME_WORDS}::int4)::int4 end as relevance) judged
      where r.listed and (relevance, r.market_cap_in_sol, r.ordinal)
          < (${relevance}::int4, ${marketCap}::numeric, ${ordinal}::int8)
        ${status === undefined ? db`` : db`and r.status = ${enumLiteral(db, tokenStatuses, status)}`}
        ${launchType === undefined ? db`` : db`and r.launch_type = ${enumLiteral(db, launchTypes, launchType)}`}
        ${withinBounds(db, bounds)}
      order by at limit ${limit + 1})
    select ${listedColumns(db)}, best.at, best.relevance, best.found_cap, not t.hidden and t.listed as matches
    from best join tokens t using (mint_address) left join token_markets m using (mint_address)
    left join token_rankings r using (mint_address)
    order by best.at`;
  return scannedPage(rows, { limit, scanned: limit + 1 }, toListedToken, (row) => [
    String(row.relevance),
    row.foundCap,
    row.ordinal.toString(),
  ]);
}

/** SQL: addresses of tokens that may match, with how similar they are, from a bounded number of rows of each index. */
function candidates(db: Queryable, text: string, key: string) {
  const atMost = db.unsafe(String(FOUND_EACH_WAY));
  // A pattern of `like` would be unknown to a plan that is made before its values.
  const begins = (column: string, beginning: string) =>
    db`${db(column)} ~>=~ ${beginning}::text and ${db(column)} ~<~ (${beginning}::text || chr(1114111))`;
  const some = (condition: PendingQuery<Row[]>, order: PendingQuery<Row[]>) =>
    db`(select mint_address, 0 as similarity from token_names where ${condition} order by ${order} limit ${atMost})`;
  return db`
    select mint_address, max(similarity) as similarity from (
      select mint_address, similarity from similar_tokens(${key})
      union all ${some(db`symbol_key = ${key}`, db`ordinal desc`)}
      union all ${some(db`name_key = ${key}`, db`ordinal desc`)}
      union all ${some(begins('symbol_key', key), db`symbol_key using ~<~`)}
      union all ${some(begins('name_key', key), db`name_key using ~<~`)}
      union all ${some(begins('mint_address', text), db`mint_address using ~<~`)}) way
    group by mint_address`;
}
