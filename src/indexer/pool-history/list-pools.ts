import type { Database } from '../../db/client.ts';
import type { CurvePool } from '../decode/decode-transaction.ts';

/** The pools of all known tokens (contract/ingest#chain-indexer): hidden ones too, so that a token shown again has its history. */
export async function listIndexedPools(db: Database): Promise<CurvePool[]> {
  return db<CurvePool[]>`
    select pool_address, mint_address, decimals from tokens where pool_address is not null order by ordinal`;
}
