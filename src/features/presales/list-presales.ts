import type { Queryable } from '../../db/client.ts';
import { type Presale, type PresaleRow, presaleColumns, toPresale } from './record.ts';

/** The public presale with this id, or null: drafts and presales of hidden tokens do not exist for readers (contract/presales#drafts). */
export async function findPresale(db: Queryable, id: string): Promise<Presale | null> {
  const [row] = await db<PresaleRow[]>`
    select ${presaleColumns(db)}
    from presales p join tokens t using (mint_address)
    where p.id = ${id} and p.status <> 'draft' and not t.hidden`;
  return row === undefined ? null : toPresale(row);
}

export interface PresalePage {
  /** Newest first. */
  presales: Presale[];
  /** `beforeOrdinal` of the next page; null on the last one. */
  nextOrdinal: bigint | null;
}

// Above every ordinal: the first page runs the same statement as the others.
const BEFORE_ALL = 9_223_372_036_854_775_807n;

/** Public presales in the order they were created, newest first, by the index `presales_listing`. */
export async function listPresales(
  db: Queryable,
  { limit, beforeOrdinal = BEFORE_ALL }: { limit: number; beforeOrdinal?: bigint | undefined },
): Promise<PresalePage> {
  const rows = await db<(PresaleRow & { ordinal: bigint })[]>`
    select p.ordinal, ${presaleColumns(db)}
    from presales p join tokens t using (mint_address)
    where p.status <> 'draft' and not t.hidden and p.ordinal < ${beforeOrdinal}
    order by p.ordinal desc
    limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  return {
    presales: page.map(toPresale),
    nextOrdinal: rows.length > limit ? (page.at(-1)?.ordinal ?? null) : null,
  };
}
