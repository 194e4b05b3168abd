import type { Database } from '../../db/client.ts';
import type { CurvePool } from '../decode/decode-transaction.ts';

/** The pools of all known tokens (D17): hidden ones too, so that a token shown again has its history. */
export async function listWatchedPools(db: Database): Promise<CurvePool[]> {
  return db<CurvePool[]>`
    select pool_address, mint_address, decimals from tokens where pool_address is not null order by ordinal`;
}
