import type { Queryable } from '../../db/client.ts';
import { enumLiteral } from '../../db/enum-literal.ts';
import { launchTypes, tokenStatuses } from '../../db/schema/tokens.ts';
import { type LaunchType, type Token, type TokenRow, type TokenStatus, toToken } from './record.ts';

/** The visible token with this mint, or null (contract/tokens#visibility). */
export async function findToken(db: Queryable, mintAddress: string): Promise<Token | null> {
  const [row] = await db<TokenRow[]>`
    select ${tokenColumns(db)}
    from tokens t left join token_markets m using (mint_address)
    where t.mint_address = ${mintAddress} and not t.hidden`;
  return row === undefined ? null : toToken(row);
}

export interface TokenListFilter {
  status?: TokenStatus | undefined;
  launchType?: LaunchType | undefined;
  limit: number;
  /** Only tokens listed after the one with this ordinal, i.e. with a smaller ordinal. */
  beforeOrdinal?: bigint | undefined;
}

export interface TokenPage {
  /** Newest first. */
  tokens: Token[];
  /** `beforeOrdinal` of the next page; null on the last one. */
  nextOrdinal: bigint | null;
}

// Above every ordinal: the first page runs the same statement as the others.
const BEFORE_ALL = 9_223_372_036_854_775_807n;

/** Visible tokens, newest first, by the partial index that matches the filters. */
export async function listTokens(
  db: Queryable,
  { status, launchType, limit, beforeOrdinal = BEFORE_ALL }: TokenListFilter,
): Promise<TokenPage> {
  const rows = await db<(TokenRow & { ordinal: bigint })[]>`
    select t.ordinal, ${tokenColumns(db)}
    from tokens t left join token_markets m using (mint_address)
    where not t.hidden and t.ordinal < ${beforeOrdinal}
      ${status === undefined ? db`` : db`and t.status = ${enumLiteral(db, tokenStatuses, status)}`}
      ${launchType === undefined ? db`` : db`and t.launch_type = ${enumLiteral(db, launchTypes, launchType)}`}
    order by t.ordinal desc
    limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  return {
    tokens: page.map(toToken),
    nextOrdinal: rows.length > limit ? (page.at(-1)?.ordinal ?? null) : null,
  };
}

/** Columns of a TokenRow, from `tokens t` and `token_markets m`. */
export function tokenColumns(db: Queryable) {
  return db`
    t.mint_address, t.creator_wallet, t.name, t.symbol, t.description, t.image_url, t.decimals, t.total_supply,
    m.price_in_sol, m.sol_collected_in_sol, t.launch_type, t.status, t.launched_at, t.graduated_at,
    t.telegram, t.twitter, t.website`;
}
