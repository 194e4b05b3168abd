/** What is known of the time that a token's market data reach to. */
export interface MarketTimes {
  /** Null for a token whose source has no proof. */
  provenThrough: Date | null;
  /** Block time of the newest trade. */
  marketAsOf: Date;
}

/**
 * `asOf` of market data (contract/market-data#proven-time): how far the token's source is proven to be read and
 * applied; for a token without a proof the time of its newest trade, which is all that is known.
 */
export function marketAsOf({ provenThrough, marketAsOf }: MarketTimes): Date {
  return provenThrough ?? marketAsOf;
}
