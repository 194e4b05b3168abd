import type { Queryable } from '../../db/client.ts';
import { type ListedTokenRow, listedColumns, toListedToken } from './listed-token.ts';
import type { ListedToken } from './schema.ts';

/** The visible ones among these tokens, in the given order. */
export async function findTokens(db: Queryable, mints: readonly string[]): Promise<ListedToken[]> {
  const rows = await db<ListedTokenRow[]>`
    select ${listedColumns(db)}
    from unnest(${mints as string[]}::text[]) with ordinality as wanted (mint_address, at)
    join visible_tokens t using (mint_address) left join token_markets m using (mint_address)
    left join token_rankings r using (mint_address)
    order by wanted.at`;
  return rows.map(toListedToken);
}
