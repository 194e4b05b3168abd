import type { Queryable } from '../../db/client.ts';
import {
  BEFORE_LARGEST_ORDINAL,
  type KeysetPage,
  keysetPage,
  type OrdinalPosition,
} from '../../db/keyset-page.ts';
import { type PresaleRow, presaleColumns, toPresale } from './record.ts';
import type { Presale } from './schema.ts';

/** Lists public presales by creation, newest first, by the index `presales_listing`. */
export async function listPresales(
  db: Queryable,
  { limit, after = BEFORE_LARGEST_ORDINAL }: { limit: number; after?: OrdinalPosition | undefined },
): Promise<KeysetPage<Presale, OrdinalPosition>> {
  const [ordinal] = after;
  const rows = await db<(PresaleRow & { ordinal: bigint })[]>`
    select p.ordinal, ${presaleColumns(db)}
    from presales p join tokens t using (mint_address)
    where p.status <> 'draft' and not t.hidden and p.ordinal < ${ordinal}::int8
    order by p.ordinal desc
    limit ${limit + 1}`;
  return keysetPage(rows, limit, toPresale, (row) => [row.ordinal.toString()]);
}
