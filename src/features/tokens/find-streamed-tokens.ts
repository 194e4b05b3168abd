import type { Queryable } from '../../db/client.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import { type TokenRow, tokenColumns, toToken } from './record.ts';
import type { StreamedToken } from './schema.ts';

interface StreamedRow extends TokenRow {
  listed: boolean;
  liquidityInSol: string | null;
  holderCount: number | null;
}

/** Finds the visible tokens among these mints, with whether each is in the lists. */
export async function findStreamedTokens(
  db: Queryable,
  mints: readonly string[],
): Promise<Map<string, { record: StreamedToken; isListed: boolean }>> {
  if (mints.length === 0) return new Map();
  const rows = await db<StreamedRow[]>`
    select ${tokenColumns(db)}, t.listed, m.liquidity_in_sol, m.holder_count
    from visible_tokens t left join token_markets m using (mint_address)
    where t.mint_address = any(${mints as string[]})`;
  return new Map(
    rows.map((row) => [
      row.mintAddress,
      {
        isListed: row.listed,
        record: {
          ...toToken(row),
          liquidityInSol: row.liquidityInSol === null ? null : normaliseDecimal(row.liquidityInSol),
          holderCount: row.holderCount,
        },
      },
    ]),
  );
}

/** Selects the mints that have a visible token. */
export async function findVisibleMints(db: Queryable, mints: readonly string[]): Promise<Set<string>> {
  if (mints.length === 0) return new Set();
  const rows = await db<{ mintAddress: string }[]>`
    select mint_address from visible_tokens where mint_address = any(${mints as string[]})`;
  return new Set(rows.map(({ mintAddress }) => mintAddress));
}
