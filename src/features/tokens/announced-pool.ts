import type { CurrentReadDependencies } from '../../chain/node-trust/first-current-response.ts';
import { type LaunchedPool, readLaunchedPool } from '../../chain/pools/curve/launched-pool.ts';
import type { Queryable } from '../../db/client.ts';
import { launchPhase } from './state.ts';
import type { ReportedToken } from './upsert-token.ts';

/**
 * Reads the pool for the `launch.created` of a report, before the transaction that stores the report. Null
 * when the report announces nothing, names no pool, or no node shows the pool.
 */
export async function findReportedPool(
  db: Queryable,
  nodes: CurrentReadDependencies,
  { mintAddress, status, poolAddress, announce = false }: ReportedToken,
): Promise<LaunchedPool | null> {
  if (launchPhase(status) !== 'live' || poolAddress === null) return null;
  const known = await findUnannounced(db, mintAddress);
  if (known === 'announced' || (known === null && !announce)) return null;
  const address = poolAddress ?? known?.poolAddress ?? null;
  return address === null ? null : readLaunchedPool(nodes, address, mintAddress);
}

/** Reads the pool for the `launch.created` of a known token; null as above. */
export async function findAnnouncedPool(
  db: Queryable,
  nodes: CurrentReadDependencies,
  mintAddress: string,
): Promise<LaunchedPool | null> {
  const known = await findUnannounced(db, mintAddress);
  if (known === null || known === 'announced' || known.poolAddress === null) return null;
  return readLaunchedPool(nodes, known.poolAddress, mintAddress);
}

/** Null when no one has reported it yet. */
async function findUnannounced(
  db: Queryable,
  mintAddress: string,
): Promise<{ poolAddress: string | null } | 'announced' | null> {
  const [row] = await db<{ poolAddress: string | null; isAnnounced: boolean }[]>`
    select pool_address, 'launch.created' = any(told_events) as is_announced from tokens
    where mint_address = ${mintAddress}`;
  if (row === undefined) return null;
  return row.isAnnounced ? 'announced' : { poolAddress: row.poolAddress };
}
