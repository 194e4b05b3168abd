import type { Queryable } from '../../db/client.ts';
import { type TokenRow, tokenColumns, toToken } from './record.ts';
import type { Token } from './schema.ts';

export async function findToken(db: Queryable, mintAddress: string): Promise<Token | null> {
  const [row] = await db<TokenRow[]>`
    select ${tokenColumns(db)}
    from visible_tokens t left join token_markets m using (mint_address)
    where t.mint_address = ${mintAddress}`;
  return row === undefined ? null : toToken(row);
}
