import type { Queryable } from '../../db/client.ts';

/** The known end of a token's market data. */
export interface MarketTimes {
  /** Null for a token whose source has no proof. */
  provenThrough: Date | null;
  /**
   * Without a proof: block time of the newest trade, or for a token without trades the time of its
   * registration.
   */
  knownAt: Date | null;
}

/**
 * Columns of MarketTimes, from `tokens t`, `token_markets m` and `left join source_proofs s`. The newest trade is looked up
 * by the address, not by the row of the token: so it is looked up once, and not for each row of the result.
 */
export function marketTimes(db: Queryable, mintAddress: string) {
  return db`
    s.through as proven_through, case when s.through is null then coalesce((
      select last.block_time from trades last where last.mint_address = ${mintAddress}
      order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc limit 1), m.as_of)
    end as known_at`;
}

/**
 * `asOf` of market data (contract/market-data#proven-time): the time up to which the token's source is proven
 * to be read and applied; without a proof the time of its newest trade. Never the clock.
 */
export function marketAsOf({ provenThrough, knownAt }: MarketTimes): Date {
  const asOf = provenThrough ?? knownAt;
  if (asOf === null) throw new Error('a market has neither a proof nor a known time');
  return asOf;
}
