import type { Queryable } from '../../db/client.ts';
import { Problem } from '../../shared/problem.ts';
import type { HolderStats } from './schema.ts';

interface HolderStatsRow {
  holderCount: number;
  provenance: HolderStats['provenance'];
  slot: bigint;
  asOf: Date;
}

/**
 * Finds the holder count of a visible token, null when there is no such token. Throws
 * `holder_stats_not_found` before the first count.
 */
export async function findHolderStats(db: Queryable, mintAddress: string): Promise<HolderStats | null> {
  const [row] = await db<(HolderStatsRow | { holderCount: null })[]>`
    select h.holder_count, h.provenance, h.slot, h.as_of
    from visible_tokens t left join holder_stats h using (mint_address)
    where t.mint_address = ${mintAddress}`;
  if (row === undefined) return null;
  if (row.holderCount === null) throw new Problem('holder_stats_not_found');
  const { holderCount, provenance, slot, asOf } = row;
  return { mintAddress, holderCount, provenance, slot: slot.toString(), asOf: asOf.toISOString() };
}
