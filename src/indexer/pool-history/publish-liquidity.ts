import { DAMM_V2 } from '../../chain/accounts/programs.ts';
import { endPosition } from '../market/indexed-trade.ts';
import { type ShownLiquidity, storeLiquidity } from '../store/markets.ts';
import type { DecodedBatch, PlacedTransaction, PublishDependencies } from './batch-publisher.ts';

/**
 * Stores the SOL in the pool where a transaction moved it without a trade: at the migration, and when a provider adds
 * or takes some. Liquidity that went into an AMM that is not read is unknown from then on, never what it was before.
 */
export async function publishLiquidity(
  { db, onTokensChanged }: PublishDependencies,
  { pool, transactions }: DecodedBatch,
): Promise<void> {
  const last = transactions.map((one) => shownBy(one, pool)).findLast((shown) => shown !== null);
  if (last != null && (await storeLiquidity(db, last))) onTokensChanged([last.mintAddress]);
}

function shownBy(
  { decoded, record, transactionIndex }: PlacedTransaction,
  { poolAddress, mintAddress }: DecodedBatch['pool'],
): ShownLiquidity | null {
  if (decoded === null) return null;
  const position = endPosition({ slot: record.slot, transactionIndex });
  const migration = decoded.migrations.at(-1);
  if (migration !== undefined && migration.ammProgram !== DAMM_V2)
    return { mintAddress, liquidityInSol: null, position };
  const liquidityInSol = decoded.liquidityInSol.get(migration?.ammPoolAddress ?? poolAddress);
  return liquidityInSol === undefined ? null : { mintAddress, liquidityInSol, position };
}
