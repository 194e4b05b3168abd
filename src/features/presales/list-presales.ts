import type { Queryable } from '../../db/client.ts';
import { enumLiteral } from '../../db/enum-literal.ts';
import {
  BEFORE_LARGEST_ORDINAL,
  type KeysetPage,
  keysetPage,
  type OrdinalPosition,
} from '../../db/keyset-page.ts';
import { presaleStatuses } from '../../db/values/presales.ts';
import { type PresaleRow, presaleColumns, toPresale } from './record.ts';
import type { Presale, PublicPresaleStatus } from './schema.ts';

export interface PresaleListFilter {
  status?: PublicPresaleStatus | undefined;
  mintAddress?: string | undefined;
  limit: number;
  after?: OrdinalPosition | undefined;
}

/** Lists public presales by creation, newest first, by the index that fits the filter. */
export async function listPresales(
  db: Queryable,
  { status, mintAddress, limit, after = BEFORE_LARGEST_ORDINAL }: PresaleListFilter,
): Promise<KeysetPage<Presale, OrdinalPosition>> {
  const [ordinal] = after;
  const isShown =
    status === undefined
      ? db`p.status <> 'draft'`
      : db`p.status = ${enumLiteral(db, presaleStatuses, status)}`;
  // Two bounds on the mint, not an equality: that would let the planner walk through all presales. The lower one is a
  // comparison of its own, because a scan does not end at a bound that compares rows.
  const inOrder =
    mintAddress === undefined
      ? db`and p.ordinal < ${ordinal}::int8 order by p.ordinal desc`
      : db`and (p.mint_address, p.ordinal) < (${mintAddress}, ${ordinal}::int8)
          and p.mint_address >= ${mintAddress} order by p.mint_address desc, p.ordinal desc`;
  const rows = await db<(PresaleRow & { ordinal: bigint })[]>`
    select p.ordinal, ${presaleColumns(db)}
    from presales p join visible_tokens t using (mint_address)
    where ${isShown} ${inOrder}
    limit ${limit + 1}`;
  return keysetPage(rows, limit, toPresale, (row) => [row.ordinal.toString()]);
}
