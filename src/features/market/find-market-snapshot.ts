import type { Queryable } from '../../db/client.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import { marketCapInSol, publishedPrice } from '../../shared/published-value.ts';
import { type MarketTimes, marketAsOf, marketTimes } from './proven-time.ts';
import type { MarketSnapshot } from './schema.ts';

interface MarketRow extends MarketTimes {
  mintAddress: string;
  totalSupply: string;
  priceInSol: string | null;
  liquidityInSol: string | null;
  holderCount: number | null;
}

export async function findMarketSnapshot(db: Queryable, mintAddress: string): Promise<MarketSnapshot | null> {
  const [row] = await db<MarketRow[]>`
    select t.mint_address, t.total_supply, m.price_in_sol, m.liquidity_in_sol, m.holder_count,
      ${marketTimes(db, mintAddress)}
    from visible_tokens t join token_markets m using (mint_address) left join source_proofs s using (mint_address)
    where t.mint_address = ${mintAddress}`;
  return row === undefined ? null : toMarketSnapshot(row);
}

function toMarketSnapshot(row: MarketRow): MarketSnapshot {
  const totalSupply = normaliseDecimal(row.totalSupply);
  const price = publishedPrice(row.priceInSol);
  return {
    mintAddress: row.mintAddress,
    asOf: marketAsOf(row).toISOString(),
    priceInSol: price,
    marketCapInSol: marketCapInSol(price, totalSupply),
    liquidityInSol: row.liquidityInSol === null ? null : normaliseDecimal(row.liquidityInSol),
    totalSupply,
    holderCount: row.holderCount,
    provenance: 'service-indexer',
  };
}
