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
    from presales p join tokens t using (mint_address)
    where p.id = ${id} and p.status <> 'draft' and not t.hidden`;
  return row === undefined ? null : toPresale(row);
}
