import type { Queryable } from '../../db/client.ts';
import { type PresaleRow, presaleColumns, toPresale } from './record.ts';
import type { Presale } from './schema.ts';

/**
 * Finds the public presale with this id, or null: drafts and presales of hidden tokens do not exist for
 * readers (contract/presales#drafts).
 */
export async function findPresale(db: Queryable, id: string): Promise<Presale | null> {
  const [row] = await db<PresaleRow[]>`
    select ${presaleColumns(db)}
    from presales p join visible_tokens t using (mint_address)
    where p.id = ${id} and p.status <> 'draft'`;
  return row === undefined ? null : toPresale(row);
}

/** Public presales by id. */
export async function findStreamedPresales(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, Presale>> {
  if (ids.length === 0) return new Map();
  const rows = await db<PresaleRow[]>`
    select ${presaleColumns(db)}
    from presales p join visible_tokens t using (mint_address)
    where p.id = any(${ids as string[]}::uuid[]) and p.status <> 'draft'`;
  return new Map(rows.map((row) => [row.id, toPresale(row)]));
}
